import { type Clause, moving } from "./clauses.ts";
import type { Language } from "../../numbers.ts";
import { addDays, mondayOf } from "../../calendar.ts";
import type { TimeReading } from "../parse-state/reading.ts";
import { isTimeless, type Said } from "./pieces.ts";

const relations: Record<Language, [before: string, after: string, that: string]> = {
  en: [
    "before|prior to",
    "after|past|following|once|when",
    "that(?! \\w+day)|then|it|there|this(?=$)|(?:hers|his|theirs|her|him|them)(?=$| )",
  ],
  es: [
    "antes",
    "despues|luego|a partir|pasando|cuando|saliendo|al salir|terminando|al terminar",
    "(?:de )?(?:eso|ahi|entonces|esa (?:hora|fecha)|ese dia|que)",
  ],
};
/** "after that", or "after" in front of what is no time by itself: "after my class ends at four". */
const patterns = (["en", "es"] as const).map((language) => {
  const [before, after, that] = relations[language];
  return [
    language,
    {
      inside: new RegExp(`(?<= |^)(?:(${before})|${after}) (?:${that})(?= |$)`),
      last: new RegExp(`(?<= |^)(?:(${before})|(?<!(?:^| )(?:or|and|o|y) )(?:${after})(?: de(?: que)?)?|afterwards?)$`),
    },
  ] as const;
});
const patternsOf = Object.fromEntries(patterns) as Record<Language, { inside: RegExp; last: RegExp }>;

const lastEnd = 18 * 60 + 59;
const clock = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** In words that the rules read: "before 2026-12-04", "after 15:00"; undefined without an end on that side. */
function relative(isBefore: boolean, language: Language, { dates, time, window }: TimeReading): string | undefined {
  const relation = language === "es" ? (isBefore ? "antes de" : "despues de") : isBefore ? "before" : "after";
  const end = isBefore ? window?.from : window?.until === 1440 ? window.from : window?.until;
  // "He has to be at school by eight, so after": in the morning.
  if (!isBefore && window?.from === 0 && window.until > lastEnd) return undefined;
  const minutes = time ?? (end === 0 ? undefined : end);
  const day = isBefore ? dates?.[0]?.from : dates?.at(-1)?.until;
  if (minutes !== undefined) return [dates && day, `${relation} ${clock(minutes)}`].filter(Boolean).join(" ");
  return day && `${relation} ${day}`;
}

/** "The kids are off next week, so any time then". */
const thatTime = /(?:any ?time|any ?day|some ?time|cualquier dia|a cualquier hora)( then)?$/;
const isFreeThen = ({ cue, text }: Clause): boolean =>
  /(?<= |^)(?:off|out|free|home|vacation|libres?|vacaciones|en casa)(?= |$)/.test(`${cue} ${text}`.replace("schools", "school")) &&
  !/(?<= |^)(?:not?|last|pasada)(?= |$)/.test(`${cue} ${text}`);

/** "Once they are back at school in January": some day of it. */
const isWithin = ({ text }: Clause, { dates, time, window }: TimeReading): boolean =>
  time === undefined &&
  !window &&
  /(?<= |^)(?:back|returns?|starts?|begins?|opens?|regres[a-z]+|vuelv[a-z]+|empie[a-z]+|entr[a-z]+)(?= |$)/.test(text) &&
  dates?.some(({ from, until }) => from !== until) === true;

/** "Could mine be the same day": as another clause says. */
const sameDay =
  /(?<= |^)(?:(?:on |the |that )*same (?:exact )?day|do (?:them )?both(?: then)?|(?:on )?that day|ese dia|(?:en |el |ese )*mismo dia)(?: (?:as|que) (?:my |mi )?(?:him|her|them|that|mine|hers|his|ella|el|[a-z]+))?(?= |$)/;
function dayOf(clauses: readonly Clause[], read: (text: string) => TimeReading[]): string | undefined {
  const days = clauses.flatMap((one) => (one.kind === "wish" ? [] : read(one.text))).flatMap(({ dates = [] }) => dates);
  const [{ from, until } = { from: "" }, ...others] = days;
  return others.length === 0 && from === until ? from : undefined;
}

const hasTime = ({ time, window }: TimeReading): boolean => time !== undefined || window !== undefined;
const isTimeOnly = (all: TimeReading[]): boolean => all.length > 0 && all.every((one) => !one.dates && hasTime(one));

const isPast = /(?<= |^)(?:was|were|had|did|fue|era|estuvo|tuve)(?= |$)/;

const sameTime = /(?<= |^)(?:at )?(?:the )?same (?:exact )?time|(?:a )?la misma hora(?= |$)/;
function timeOf(clauses: readonly Clause[], read: (text: string) => TimeReading[]): string | undefined {
  const times = clauses.flatMap((one) => (one.kind === "wish" ? [] : read(one.text))).flatMap(({ time }) => time ?? []);
  return times.length === 1 ? clock(times[0]!) : undefined;
}

const schoolRun =
  /(?<= |^)(?:drop|dropping|take|taking|dejo|dejar|llevo|llevar)(?= ).*(?<= )(?:off|school|kids?|daycare|preschool|bus stop|ninos?|ninas?|escuela|kinder|guarderia|colegio)(?= |$)/;
/** "I drop the kids off at eight" is in the morning. */
const readSchoolRun = ({ kind, cue, text }: Clause, all: TimeReading[]): TimeReading[] =>
  kind === "reason" && schoolRun.test(`${cue} ${text}`) && all.every(({ time }) => time !== undefined)
    ? all.filter(({ time = 0 }) => time < 720)
    : all;

/** "Twelve to one, so somewhere in there". */
const insideThat =
  /(?<= |^)(?:some ?where |some ?time |any ?time |right )?(?:in (?:there|that (?:window|time|hour|range))|within that(?: time)?|during (?:that|then|that time)|around (?:there|then|that time)|en (?:ese|esa) (?:rato|hora|tiempo|horario|lapso)|(?:a|durante) esa hora|por ahi entonces)(?= |$)/;
const timeWords = ({ time, window }: TimeReading): string | undefined =>
  window
    ? window.until < 1440 && window.from > 0
      ? `from ${clock(window.from)} to ${clock(window.until)}`
      : undefined
    : time === undefined
      ? undefined
      : `around ${clock(time)}`;
function insideOf(clauses: readonly Clause[], read: (text: string) => TimeReading[]): string | undefined {
  const all = clauses
    .toReversed()
    .map((one) => (one.kind === "wish" ? [] : read(one.text)))
    .find((one) => one.length > 0);
  return all?.length === 1 && !all[0]!.dates ? timeWords(all[0]!) : undefined;
}

/** "Before I go to the office", "after the stress test": by itself of no day and no time. */
const event: Record<Language, RegExp> = {
  en: /(?<= |^)(?<!(?:or|and|not|no|nothing|but|any|(?:the|an?|one) (?:[a-z]*day|week|month|year|night|weekend|one|time)) )(?:right |just |some ?time |any ?time )?(?:before|after|once|while)(?: (?!that|then|or |and |it(?! gets| is| starts))[a-z]+(?: (?!or |and |but |not |nor |until |unless |except )[a-z]+)*)?$/,
  es: /(?<= |^)(?<!(?:o|y|no|ni|nada|pero|(?:el|la|una?) (?:dia|semana|mes|ano|noche|[a-z]+es|sabado|domingo)) )(?:(?:antes|despues|luego) de(?:l| que)?|ya que|una vez que) (?!eso|ahi|esa|ese|entonces)[a-z]+(?: (?!o |y |pero |no |ni |hasta |excepto |menos )[a-z]+)*$/,
};
const wide = 11;
/** Narrow enough that an event beside it does not matter. */
const isNarrow = ({ dates, time, window }: TimeReading): boolean =>
  time !== undefined ||
  window !== undefined ||
  (dates?.every(({ from, until }) => from !== until && until !== undefined && until < addDays(from, wide)) ?? false);

/** Without "before I go to the office" where a time is said beside it; undefined where there is none. */
function withoutEvents(
  wishes: readonly string[],
  clauses: readonly Clause[],
  language: Language,
  read: (text: string) => TimeReading[],
  saidIn: (text: string) => Said,
): string[] | undefined {
  const left = wishes.map((text, at) => {
    const said = event[language].exec(text);
    const isCut = said !== null && /^\w+$/.test(said[0]);
    if (!said || (isCut && clauses[at + 1]?.kind !== "reason") || !isTimeless(saidIn(said[0])) || /\d/.test(said[0])) return text;
    return text.slice(0, said.index).trim();
  });
  if (left.every((text, at) => text === wishes[at])) return undefined;
  // "Monday morning and Tuesday after class".
  const days = left.filter((text) => saidIn(text).day);
  if (days.length > 1 && left.some((text, at) => text !== wishes[at] && saidIn(text).day && !saidIn(text).time)) return undefined;
  const all = read(left.join(" "));
  return all.length > 0 && all.every((one) => isNarrow(one) || isRough(one)) ? left : undefined;
}
const isRough = ({ dates, isApproximate }: TimeReading): boolean => isApproximate && dates !== undefined;

const leaving = /(?<= |^)(?:off|out|done|finished|ends?|over|salgo|salen?|sueltan|termino|termina|acaba)(?= |$)/;
/** "In the afternoon, I get off at two thirty" is after it. */
function afterLeaving(wish: string, clauses: readonly Clause[], language: Language, read: (text: string) => TimeReading[]): string {
  const said = read(wish);
  const isAfternoon = said.length > 0 && said.every(({ window }) => window?.from === 720 && window.until === 1020);
  const bases = isAfternoon
    ? clauses.filter(({ kind, cue, text }) => kind === "reason" && leaving.test(`${cue} ${text}`)).flatMap(({ text }) => read(text))
    : [];
  const [{ time = 0, dates } = {}, ...others] = bases as Partial<TimeReading>[];
  return !dates && others.length === 0 && time > 720 && time < 1020
    ? relative(false, language, { kind: "reading", time, isApproximate: false })!
    : "";
}

/** The wishes of a text, where "after that" is after what another clause says. */
export function wishesOf(
  clauses: readonly Clause[],
  language: Language,
  read: (text: string) => TimeReading[],
  saidIn: (text: string) => Said,
): string {
  const { inside, last } = patternsOf[language];
  const wishes = clauses.map(({ kind, text }, at) => {
    if (kind !== "wish") return "";
    const that = inside.exec(text);
    const own = thatTime.exec(text);
    if (!that && own) {
      const [base] = clauses
        .slice(0, at)
        .toReversed()
        .filter((one) => one.kind !== "wish" && (own[1] !== undefined || (one.kind === "reason" && isFreeThen(one))))
        .flatMap((one) => read(one.text));
      const [range] = base?.dates ?? [];
      return range?.until ? `${text.slice(0, own.index)} from ${range.from} to ${range.until}` : own[1] === undefined ? text : "";
    }
    const day = sameDay.test(text) ? dayOf(clauses, read) : undefined;
    if (day) return text.replace(sameDay, day);
    // "I have ten on Monday, can we move it to eleven".
    const kept = moving.test(text) && !read(text).some(({ dates }) => dates) ? dayOf(clauses, read) : undefined;
    if (kept) return `${text} ${kept}`;
    // "She is out at three on Monday, so three thirty".
    if (/^(?:so|asi que|entonces)(?= )/.test(text) && isTimeOnly(read(text))) {
      const other = clauses
        .slice(0, at)
        .filter(
          (one) =>
            one.kind === "reason" && !isPast.test(`${one.cue} ${one.text}`) && read(one.text).some((base) => base.dates && hasTime(base)),
        );
      const day =
        other.length === 1 && !clauses.some((one) => one.kind === "wish" && read(one.text).some(({ dates }) => dates))
          ? dayOf(other, read)
          : undefined;
      if (day) return `${text} ${day}`;
    }
    const time = sameTime.test(text) ? timeOf(clauses, read) : undefined;
    if (time) return text.replace(sameTime, `at ${time}`);
    const during = insideThat.test(text) ? insideOf(clauses.slice(0, at), read) : undefined;
    if (during) return text.replace(insideThat, during);
    const said = that ?? last.exec(text);
    if (!said) return text;
    const next = clauses[at + 1];
    const others = [...(next ? [next] : []), ...clauses.slice(0, at).toReversed()].filter((one) => one.kind !== "wish");
    const bases =
      others
        .map((one) => readSchoolRun(one, that ? read(one.text) : read(one.text).filter((base) => !isWithin(one, base))))
        .find((one) => one.length > 0) ?? [];
    const isBefore = said[1] !== undefined;
    // "I get off at five": in the afternoon; seven and eight can be either.
    const base =
      bases.length === 1 || (!isBefore && bases.every(({ dates, time = 0 }) => !dates && time < lastEnd)) ? bases.at(-1) : undefined;
    // "Christmas is Friday, so the week after".
    const [baseDay] = base?.dates ?? [];
    const ahead = !isBefore && baseDay?.from === baseDay?.until && baseDay?.from;
    if (ahead && /(?:(?:the|that|la) (?:week|semana)|next week) ?$/.test(text.slice(0, said.index))) {
      const monday = addDays(mondayOf(ahead), 7);
      return `${text.slice(0, said.index).replace(/(?:the|that|la|next) (?:week|semana) ?$/, "")} from ${monday} to ${addDays(monday, 6)}`;
    }
    const resolved = base && relative(isBefore, language, base);
    // "I get off at seven, so right after that, like nine".
    if (resolved && clauses.some((one, place) => place > at && one.kind === "wish" && isTimeOnly(read(one.text))))
      return `${text.slice(0, said.index).replace(/(?:right|just|soon|shortly) ?$/, "")} ${resolved} ${text.slice(said.index + said[0].length)}`;
    if (resolved) return `${text.slice(0, said.index)} ${resolved} ${text.slice(said.index + said[0].length)}`;
    // "After she gets out of school": no time by itself.
    return !that && said[0] === text ? "" : text;
  });
  const left = withoutEvents(wishes, clauses, language, read, saidIn) ?? wishes;
  const text = left.filter(Boolean).join(" ").replace(/ {2,}/g, " ").trim();
  return `${text} ${afterLeaving(text, clauses, language, read)}`.trim();
}
