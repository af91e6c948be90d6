import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { longestOf } from "../speech/phrasing.ts";
import type { Instead, Output, TimeOption } from "./schema.ts";
import { speakService } from "../scheduling/matching.ts";
import { sayChange, sayOffers } from "./speak-appointments.ts";

type Result<Name extends Output["result"]> = Extract<Output, { result: Name }>;

const whichTime: Bilingual = { en: "Which would you like?", es: "¿Cuál prefiere?" };
const doesItSuit: Bilingual = { en: "Would that work for you?", es: "¿Le queda bien?" };
const choiceOf = (count: number): Bilingual => (count === 1 ? doesItSuit : whichTime);
const askTime: Bilingual = { en: "Which day and time would suit you?", es: "¿Qué día y a qué hora le convendría?" };
const whoIsThePatient: Bilingual = {
  en: "To book it, I need the patient's full name, date of birth, and a phone number or zip code on file.",
  es: "Para agendarla necesito el nombre completo y la fecha de nacimiento del paciente, y un teléfono o código postal registrado.",
};

const notAsAsked: Record<Instead, Bilingual> = {
  female: { en: "I don't see an opening with a woman", es: "No veo lugar con una doctora" },
  male: { en: "I don't see an opening with a man", es: "No veo lugar con un doctor" },
  gender: { en: "I can't tell who of our doctors is a woman or a man", es: "No tengo el dato de quién es doctora o doctor" },
  usual: { en: "I don't see an opening with your usual doctor", es: "No veo lugar con su médico de siempre" },
  visitDoctor: { en: "I don't see another opening with the same doctor", es: "No veo otro lugar con el mismo médico" },
  noUsual: { en: "I don't see who your usual doctor is", es: "No veo quién es su médico de siempre" },
  location: { en: "I don't see an opening there", es: "Ahí no veo lugar" },
  noPlaces: { en: "I can't look for one place here", es: "Aquí no puedo buscar por lugar" },
  service: { en: "I don't see a specialist for that here", es: "No encuentro aquí a un especialista para eso" },
};

/** Said before times to which a visit can be moved. */
const limitReached: Record<NonNullable<Result<"found">["limit"]>, Bilingual> = {
  call: {
    en: "There are already as many appointments as I can make for one patient in a call, but I can move one of them.",
    es: "Ya hay tantas citas como puedo agendar para un paciente en una llamada, pero puedo cambiar una de ellas.",
  },
  patient: {
    en: "There are already as many appointments as I can book by phone, but I can move one of them.",
    es: "Ya hay tantas citas como puedo agendar por teléfono, pero puedo cambiar una de ellas.",
  },
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function speak(output: Output, phrasing: Phrasing): string {
  switch (output.result) {
    case "found":
      return sayFound(output, phrasing);
    case "taken":
      return sayTaken(output, phrasing);
    case "choose":
      return sayChoice(output, phrasing);
    case "whichService":
      return sayWhichService(output, phrasing);
    case "ask":
      return sayAsk(output, phrasing);
    case "booked":
    case "requested":
    case "already":
    case "enough":
    case "listed":
    case "rescheduled":
    case "cancelled":
    case "confirm":
    case "which":
    case "none":
      return sayChange(output, phrasing);
  }
}

function sayFound(output: Result<"found">, phrasing: Phrasing): string {
  const { say, day, weekdays, list, clock } = phrasing;
  const { unknown, slots, from, until, closedOn, otherTimes, otherDays, instead, places = [], asked, limit } = output;
  if (unknown === "practitioner")
    return say({
      en: "I don't see a doctor by that name here. Would you like to see someone else?",
      es: "No encuentro aquí a un médico con ese nombre. ¿Desea ver a otra persona?",
    });
  if (unknown === "location")
    return longestOf(places.length, (most) => {
      const known = list(places.slice(0, most));
      return say({
        en: `I don't see that location here. We have times at ${known}. Which would suit you?`,
        es: `No encuentro ese lugar aquí. Hay horarios en ${known}. ¿Cuál le conviene?`,
      });
    });
  if (unknown === "service")
    return say({
      en: "I don't see that kind of visit here. What else can I look for?",
      es: "No encuentro ese tipo de consulta aquí. ¿Qué más le puedo buscar?",
    });
  if (slots.length === 0) {
    const start = from ? day(from) : say({ en: "now", es: "hoy" });
    const inTwoWeeks = from
      ? say({ en: `in the two weeks from ${start}`, es: `en las dos semanas a partir de ${start}` })
      : say({ en: "in the next two weeks", es: "en las próximas dos semanas" });
    const searched = until
      ? say({
          en: `between ${start} and ${day(until)}, which is as far as I could look`,
          es: `entre ${start} y ${day(until)}, que es hasta donde pude buscar`,
        })
      : inTwoWeeks;
    return say({
      en: `I don't see any open times ${searched}. Would you like to try other dates?`,
      es: `No veo horarios disponibles ${searched}. ¿Desea probar otras fechas?`,
    });
  }
  const opener = (): string => {
    if (asked?.isOwn) {
      const time = clock(asked.start);
      return say({ en: `You already have a visit at ${time}. I also have`, es: `A ${time} usted ya tiene una cita. También tengo` });
    }
    if (instead === "service")
      return say({
        en: `${notAsAsked.service.en}, but for a general visit I have`,
        es: `${notAsAsked.service.es}, pero para una consulta general tengo`,
      });
    if (instead) return say({ en: `${notAsAsked[instead].en}, but I have`, es: `${notAsAsked[instead].es}, pero tengo` });
    if (closedOn)
      return say({
        en: `We're closed on ${weekdays(closedOn)}, but I have`,
        es: `${capital(weekdays(closedOn))} estamos cerrados, pero tengo`,
      });
    if (otherTimes) return say({ en: "I don't see anything at that time of day, but I have", es: "A esas horas no veo nada, pero tengo" });
    if (otherDays) return say({ en: "I don't see anything on that day, but I have", es: "Ese día no veo nada, pero tengo" });
    if (!asked || asked.isOpen) return say({ en: "I have", es: "Tengo" });
    const time = clock(asked.start);
    return say({ en: `There's no opening at ${time}, but I have`, es: `A ${time} no hay lugar, pero tengo` });
  };
  const hasPlaces = asked?.hasPlaces ?? isElsewhere(instead);
  if (asked?.isOpen && !instead && !limit)
    return sayOffers(
      slots,
      phrasing,
      (offer) => {
        const shallI = asked.needsIdentity ? whoIsThePatient : { en: "Shall I book it?", es: "¿Se la agendo?" };
        return say({ en: `Yes, ${offer} is open. ${shallI.en}`, es: `Sí, tengo ${offer}. ${shallI.es}` });
      },
      hasPlaces,
    );
  const before = limit ? `${say(limitReached[limit])} ` : "";
  return sayOffers(slots, phrasing, (offers, count) => `${before}${opener()} ${offers}. ${say(choiceOf(count))}`, hasPlaces);
}

/** Times at another place than the caller named are told with it. */
const isElsewhere = (instead: Instead | undefined): true | undefined => (instead === "location" ? true : undefined);

function sayTaken({ slots, isNoOpening, closedOn, instead }: Result<"taken">, phrasing: Phrasing): string {
  const { say, weekdays } = phrasing;
  const notFree = (): string => {
    if (instead && isNoOpening) return say(notAsAsked[instead]);
    if (closedOn) return say({ en: `We're closed on ${weekdays(closedOn)}`, es: `${capital(weekdays(closedOn))} estamos cerrados` });
    return isNoOpening
      ? say({ en: "There is no opening at that time", es: "A esa hora no hay lugar" })
      : say({ en: "That time is no longer available", es: "Ese horario ya no está disponible" });
  };
  if (slots.length === 0)
    return say({
      en: `${notFree()}, and I don't see another one close to it. Would you like to try another day?`,
      es: `${notFree()}, y no veo otro horario cercano. ¿Desea probar otro día?`,
    });
  return sayOffers(
    slots,
    phrasing,
    (offers, count) =>
      say({
        en: `${notFree()}. I could offer ${offers}. ${choiceOf(count).en}`,
        es: `${notFree()}. Le puedo ofrecer ${offers}. ${choiceOf(count).es}`,
      }),
    isElsewhere(instead),
  );
}

const counted: Bilingual<readonly string[]> = {
  en: ["one time", "two times", "three times"],
  es: ["un horario", "dos horarios", "tres horarios"],
};

function sayChoice({ slots, isBeyond }: Result<"choose">, phrasing: Phrasing): string {
  const { say } = phrasing;
  if (slots.length === 0) return say(askTime);
  if (isBeyond)
    return sayOffers(slots, phrasing, (offers, count) =>
      say({
        en: `I only have ${counted.en[count - 1]}: ${offers}. ${choiceOf(count).en}`,
        es: `Solo tengo ${counted.es[count - 1]}: ${offers}. ${choiceOf(count).es}`,
      }),
    );
  return sayOffers(slots, phrasing, (offers, count) =>
    say({ en: `I have ${offers}. ${choiceOf(count).en}`, es: `Tengo ${offers}. ${choiceOf(count).es}` }),
  );
}

/** Days where they differ, else times. */
function timeOptions(options: readonly TimeOption[], { say, day, clock }: Phrasing): string[] {
  const days = options.map(({ from, until }) => {
    if (!from || until === from) return from && day(from);
    const first = day(from);
    if (until === undefined) return say({ en: `from ${first} on`, es: `a partir de ${first}` });
    return first === say({ en: "today", es: "hoy" })
      ? say({ en: `from today to ${day(until)}`, es: `de hoy a ${day(until)}` })
      : say({ en: `the days from ${first}`, es: `los días a partir de ${first}` });
  });
  if (new Set(days).size > 1) return [...new Set(days)].filter((one) => one !== undefined);
  return options.flatMap(({ time }) => (time === undefined ? [] : say({ en: clock(time), es: `a ${clock(time)}` })));
}

function sayWhichService({ services }: Result<"whichService">, phrasing: Phrasing): string {
  const { say, list, record } = phrasing;
  const [inEnglish, inSpanish] = [services.map(speakService), services.map(record)].map((all) => list(all, { word: "or" }));
  return say({ en: `Is that for ${inEnglish}?`, es: `¿Es para ${inSpanish}?` });
}

function sayAsk({ options, isTooFar }: Result<"ask">, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  if (isTooFar)
    return say({
      en: "I can only look two years ahead. Which day would suit you?",
      es: "Solo puedo buscar en los próximos dos años. ¿Qué día le convendría?",
    });
  if (options.length === 0) return say(askTime);
  const meant = list(timeOptions(options, phrasing), { word: "or" });
  return say({ en: `Do you mean ${meant}?`, es: `¿Quiere decir ${meant}?` });
}
