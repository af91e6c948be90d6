import { dayIn } from "@vitaline/core";
import type { Phrasing } from "../sdk/phrasing.ts";
import { isShort, maxWords, wordCount } from "../speech/phrasing.ts";
import type { Answer, Hours, Opening, Output, Window } from "./schema.ts";
import { languageNameIn } from "../nlu/language.ts";

type Spoken = { text: string; question?: string };

export function speak({ office, answers, isOfOne, offices, isUnknownOffice }: Output, phrasing: Phrasing): string {
  if (offices) return whichOffice(offices, isUnknownOffice === true, phrasing);
  const spoken = answers.map((answer) => sayAnswer(answer, phrasing));
  const question = spoken.findLast((one) => one.question !== undefined)?.question;
  const text = [...new Set([...spoken.map((one) => one.text), ...(question === undefined ? [] : [question])])].join(" ");
  return office && isOfOne ? withOffice(office, text, phrasing) : text;
}

/** In the same sentence, if that can be followed. */
function withOffice(office: string, text: string, { say }: Phrasing): string {
  const the = /\b(?:office|clinic|center)$/i.test(office) ? "the " : "";
  const inOne = `${say({ en: `At ${the}${office}:`, es: `En ${office}:` })} ${text}`;
  return isShort(inOne) ? inOne : `${say({ en: `This is about ${the}${office}.`, es: `Esto es sobre ${office}.` })} ${text}`;
}

function whichOffice(offices: readonly string[], isUnknown: boolean, { say, list }: Phrasing): string {
  const names = list(offices, { most: 4, word: isUnknown ? "and" : "or" });
  if (!isUnknown) return say({ en: `Which office do you mean: ${names}?`, es: `¿A qué consultorio se refiere: ${names}?` });
  return say({
    en: `I don't see an office by that name. We have ${names}. Which one do you mean?`,
    es: `No veo un consultorio con ese nombre. Tenemos ${names}. ¿A cuál se refiere?`,
  });
}

function sayAnswer(answer: Answer, phrasing: Phrasing): Spoken {
  const { say } = phrasing;
  switch (answer.topic) {
    case "hours":
      return { text: sayHours(answer, phrasing) };
    case "address":
    case "directions":
      return sayPlace(answer, phrasing);
    case "phone":
      return { text: say({ en: `Our phone number is ${answer.text}.`, es: `Nuestro teléfono es ${answer.text}.` }) };
    case "email":
      return { text: say({ en: `Our email address is ${answer.text}.`, es: `Nuestro correo electrónico es ${answer.text}.` }) };
    case "insurance":
    case "languages":
    case "selfPayPrices":
    case "whatToBring":
      return sayLines(answer, phrasing);
    case "question":
      return sayText(answer.answer, phrasing);
    case "unknown":
      return {
        text: say({ en: "I don't have that information.", es: "No tengo esa información." }),
        question: say({
          en: "Would you like me to take your question for the staff?",
          es: "¿Quiere que le pase su pregunta al personal?",
        }),
      };
    case "parking":
    case "telehealth":
    case "afterHours":
      return sayText(answer.text, phrasing);
  }
}

/** Within a sentence: "A photo ID" → "a photo ID", "ID card" stays. */
const lowerFirst = (line: string): string => line.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLowerCase());

const namesOf: Record<Lines["topic"], (line: string, phrasing: Phrasing) => string> = {
  insurance: (line) => line,
  languages: (line, { language }) => languageNameIn(language, line),
  selfPayPrices: (line) => lowerFirst(line).replace(/\s*:\s*/, " "),
  whatToBring: lowerFirst,
};

/** As many whole sentences as are remembered, or the beginning of a long one. */
function sayText(text: string, { say }: Phrasing, before = ""): Spoken {
  const room = maxWords - wordCount(before);
  const sentences = text.split(/(?<=[.!?])\s+/);
  let said = "";
  for (const sentence of sentences) {
    const longer = [said, sentence].filter(Boolean).join(" ");
    if (wordCount(longer) > room) break;
    said = longer;
  }
  if (said === text) return { text: [before, said].filter(Boolean).join(" ") };
  const question = say({ en: "Shall I go on?", es: "¿Sigo?" });
  const short =
    said ||
    `${text
      .split(/\s+/)
      .slice(0, room)
      .join(" ")
      .replace(/[,;:]$/, "")} …`;
  return { text: [before, short].filter(Boolean).join(" "), question };
}

function sayPlace({ address, directions }: Extract<Answer, { topic: "address" | "directions" }>, phrasing: Phrasing): Spoken {
  const at = address === null ? "" : phrasing.say({ en: `We're at ${address}.`, es: `Estamos en ${address}.` }).replace(/\.\.$/, ".");
  return directions === null ? { text: at } : sayText(directions, phrasing, at);
}

type Lines = Extract<Answer, { lines: string[] }>;

function sayLines(answer: Lines, phrasing: Phrasing): Spoken {
  const { topic, lines, asked } = answer;
  const { say, list } = phrasing;
  const isListed = asked !== undefined && asked.length > 0;
  const intro = (names: string): string => {
    switch (topic) {
      case "insurance":
        if (isListed)
          return say({ en: `Yes, ${names} is on our list of insurance.`, es: `Sí, ${names} está en nuestra lista de seguros.` });
        return say({ en: `We take ${names}.`, es: `Aceptamos ${names}.` });
      case "languages":
        if (isListed) return say({ en: `Yes, we speak ${names}.`, es: `Sí, atendemos en ${names}.` });
        return say({ en: `We speak ${names}.`, es: `Atendemos en ${names}.` });
      case "selfPayPrices":
        return say({ en: `Without insurance: ${names}.`, es: `Sin seguro: ${names}.` });
      case "whatToBring":
        return say({ en: `Please bring ${names}.`, es: `Por favor traiga: ${names}.` });
    }
  };
  if (asked?.length === 0) return { text: notListed(topic, phrasing) };
  const all = (asked ?? lines).map((line) => namesOf[topic](line, phrasing));
  const counts = [4, 3, 2, 1].filter((count) => count <= Math.max(1, all.length));
  const texts = counts.map((most) => intro(list(all, { most })));
  const text = texts.find((one) => wordCount(one) <= maxWords) ?? texts.at(-1) ?? "";
  const asksPlan = topic === "insurance" && asked === undefined && all.length > 4;
  return asksPlan ? { text, question: say({ en: "Which plan do you have?", es: "¿Qué seguro tiene?" }) } : { text };
}

const notListed = (topic: Lines["topic"], { say }: Phrasing): string =>
  topic === "languages"
    ? say({
        en: "I don't see that language on our list. The office can tell you more.",
        es: "No veo ese idioma en nuestra lista. El consultorio puede informarle.",
      })
    : say({
        en: "I don't see that plan on our list. The office can tell you whether it's taken.",
        es: "No veo ese seguro en nuestra lista. El consultorio puede decirle si lo acepta.",
      });

function sayHours(hours: Hours, phrasing: Phrasing): string {
  const text = hours.day.date === hours.today ? sayToday(hours, phrasing) : sayDay(hours, phrasing);
  const week = `Our hours are ${hours.week.join("; ")}.`;
  const hasRoom = !hours.day.isAsked && phrasing.language === "en" && wordCount(`${text} ${week}`) <= maxWords;
  return hasRoom ? `${text} ${week}` : text;
}

/** "9 AM", "noon", "las 9 de la mañana". */
const clockTime = (minutes: number, { say, clock }: Phrasing): string => {
  if (minutes === noon) return say({ en: "noon", es: "el mediodía" });
  return minutes % midnight === 0 ? say({ en: "midnight", es: "la medianoche" }) : withoutZeros(clock(minutes));
};
const [noon, midnight] = [12 * 60, 24 * 60];
const withoutZeros = (said: string): string => said.replace(":00 ", " ");

function sayToday({ day: { open, holiday }, today, isOpenNow, left, opensAt, timeZone }: Hours, phrasing: Phrasing): string {
  const { say } = phrasing;
  const time = (at: string): string => withoutZeros(phrasing.time(at, timeZone));
  if (open && isOpenNow) return sayOpenNow(left?.length ? left : [open], phrasing);
  if (open && opensAt !== null && dayIn(timeZone, new Date(opensAt)) === today) {
    const isInBreak = left !== undefined && left.length < (open.windows?.length ?? 0);
    return isInBreak ? sayInBreak(left, phrasing) : range(open, phrasing, phrasing.day(today));
  }
  const why = holiday === null ? "" : say({ en: ` for ${holiday}`, es: ` por ${holiday}` });
  const closed =
    open || holiday === null
      ? say({ en: "We're closed now.", es: "Ahora estamos cerrados." })
      : say({ en: `We're closed today${why}.`, es: `Hoy estamos cerrados${why}.` });
  return opensAt === null
    ? closed
    : `${closed} ${say({ en: `We open again ${time(opensAt)}.`, es: `Abrimos de nuevo ${time(opensAt)}.` })}`;
}

function sayOpenNow([now, ...later]: readonly Window[], phrasing: Phrasing): string {
  const { say } = phrasing;
  const until = now ? clockTime(now.closes, phrasing) : "";
  if (later.length === 0) return say({ en: `We're open today until ${until}.`, es: `Hoy abrimos hasta ${until}.` });
  const again = sayTimes(later, phrasing);
  return say({ en: `We're open today until ${until}, and again ${again}.`, es: `Hoy abrimos hasta ${until}, y de nuevo ${again}.` });
}

function sayInBreak(left: readonly Window[], phrasing: Phrasing): string {
  const again = sayTimes(left, phrasing);
  return phrasing.say({
    en: `We're closed for a break now. We open again today ${again}.`,
    es: `Ahora estamos cerrados por un descanso. Hoy abrimos de nuevo ${again}.`,
  });
}

function sayDay({ day: { date, open, holiday }, opensAt, timeZone }: Hours, phrasing: Phrasing): string {
  const { say, day } = phrasing;
  const time = (at: string): string => withoutZeros(phrasing.time(at, timeZone));
  if (open) return range(open, phrasing, day(date));
  const why = holiday === null ? "" : say({ en: `, for ${holiday}`, es: `, por ${holiday}` });
  const closed = say({ en: `We're closed ${day(date)}${why}.`, es: `Estamos cerrados ${day(date)}${why}.` });
  return opensAt === null
    ? closed
    : `${closed} ${say({ en: `After that we open ${time(opensAt)}.`, es: `Después abrimos ${time(opensAt)}.` })}`;
}

/** One sentence with all times between the breaks; where that is too long to follow, one for each break. */
function range(open: Opening, phrasing: Phrasing, day: string): string {
  const { say } = phrasing;
  const { windows = [open] } = open;
  const sentence = (all: readonly Window[]): string => {
    const times = sayTimes(all, phrasing);
    return say({ en: `We're open ${day} ${times}.`, es: `Abrimos ${day} ${times}.` });
  };
  const whole = sentence(windows);
  if (wordCount(whole) <= maxWords) return whole;
  const breaks = windows.slice(1).map(({ opens }, at) => ({ opens: windows[at]?.closes ?? opens, closes: opens }));
  const closed = breaks.map((one) => {
    const times = sayTimes([one], phrasing);
    return say({ en: `We're closed ${times}.`, es: `Cerramos ${times}.` });
  });
  return [sentence([open]), ...closed].join(" ");
}

/** "from 9 AM to noon and 1 PM to 5 PM", "de las 9 de la mañana al mediodía y de la 1 de la tarde a las 5 de la tarde". */
function sayTimes(windows: readonly Window[], phrasing: Phrasing): string {
  const { say, list } = phrasing;
  const times = windows.map(({ opens, closes }) => {
    const [from, until] = [clockTime(opens, phrasing), clockTime(closes, phrasing)];
    return say({ en: `${from} to ${until}`, es: `de ${from} a ${until}` });
  });
  const all = list(times, { most: times.length });
  return say({ en: `from ${all}`, es: all });
}
