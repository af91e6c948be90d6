import { weekdayOf, weekdaysWithin } from "../calendar-days.ts";
import { mayTurnAround } from "./beside.ts";
import { dateRules, dayOfMonthRules } from "./date-rules.ts";
import {
  applyRules,
  type DateRange,
  type DayChoice,
  type Days,
  type Draft,
  oneDay,
  type SpokenContext,
  type TimeChoice,
  words,
} from "./draft.ts";
import { plainEnglish } from "./english.ts";
import { dayIn, partsIn } from "../local-time.ts";
import type { Language } from "../numbers.ts";
import { languageOf, plainText } from "./plain-text.ts";
import { isOverToday, settleTimes, type Times } from "./settle.ts";
import { fromSpanish } from "./spanish.ts";
import { clockRules, edgeRules, timeRelations, timeRules } from "./time-rules.ts";
import { dateRelations } from "./date-relations.ts";
import { weekRules } from "./week-rules.ts";
import { weekdayRules } from "./weekday-rules.ts";
import { relativeRules } from "./relative-rules.ts";

/**
 * Without `dates` any day, without `time` and `window` any time. Days are yyyy-mm-dd at the office, times minutes after midnight there.
 * Days and times may be past or closed.
 */
export type Reading = {
  kind: "reading";
  dates?: DateRange[];
  time?: number;
  window?: { from: number; until: number };
  isApproximate: boolean;
};
/** `ambiguous`: to be asked about. `unknown`: not understood, or not for sure. */
export type WhenReading = Reading | { kind: "ambiguous"; readings: Reading[] } | { kind: "unknown" };

const unknown: WhenReading = { kind: "unknown" };

const anyTime = words(
  "(?:any ?time|any day|any date)(?! but| except| other than| besides)|the sooner the better|whenever(?: (?:you|is|works|its|suits)[a-z ]*)?|(?:as )?soon as possible|as soon as (?:you|i|we) can|asap|(?:as )?early as (?:possible|you can)|(?:the )?(?:earliest|soonest|1th|next|1)(?: (?:available|open|free|possible))+(?: (?:appointment|slot|time|opening|date|day|1))?|(?:the )?(?:earliest|soonest)(?: (?:appointment|slot|time|opening|date|day|you have|you got|1))*|(?:the )?(?:1th|next) (?:opening|appointment)(?: you have)?|what ?ever (?:you have|works|is available|time|day)|(?:it )?does ?nt matter|does not matter|no preference|i do ?nt care|im flexible|flexible|im open|right away|immediately|(?:1th|next|earliest|soonest) (?:day|date|time|spot) (?:you (?:have|got|can)|available|open|thats open|possible)",
);
/** Words that turn a reading into another where no rule has read them. */
const reversing = words(
  "does ?nt (?:work|suit|fit)|does not (?:work|suit|fit)|wo ?nt work|avoid|skip|without|rather than|everything but|fully? booked|is full|day off|(?:i|we) work|im working|(?:visit|appointment|one|cita) was|trabajo|trabajamos|evitar|menos|salvo|excepto|no puedo|impossible|while|busy|out of town|unavailable|no good|bad|booked|ocupad[oa]|any ?(?:time|day|date) (?:but|other|besides)|not|except|anything but|any day but|any ?time but|other than|besides|instead of|never|cannot|cant|dont|do not|wont|unless|before|after|until|between|birthday|every other|ago|either side",
);
const corrections =
  /(?:^| )(?:;|no wait|wait no|oh wait|wait|no sorry|sorry no|sorry|i mean|make (?:that|it)|scratch that|or rather|better yet|no no|excuse me|actually|digo|perdon|mejor|quiero decir|no espere|no perdon)(?= |$)/g;

/** Longer than any such phrase. */
const maxLength = 150;

export function readWhen(text: string, context: SpokenContext): WhenReading {
  if (text.length > maxLength) return unknown;
  const plain = plainText(text);
  const language = languageOf(plain);
  if (language) return readIn(language, plain, context);
  const hint = context.language ?? "en";
  const read = readIn(hint, plain, context);
  return read.kind === "unknown" ? readIn(hint === "en" ? "es" : "en", plain, context) : read;
}

function readIn(language: Language, plain: string, context: SpokenContext): WhenReading {
  const [first = "", ...later] = plain

    .split(corrections)
    .map((part) => part.trim())
    .filter(Boolean);
  return later.reduce((read, part) => corrected(read, readPart(part, language, context)), readPart(first, language, context)).reading;
}

type Part = { reading: WhenReading; isEmpty: boolean };

/** A correction replaces the days or the time said before it. */
function corrected(one: Part, other: Part): Part {
  if (other.isEmpty) return one;
  const [a, b] = [one.reading, other.reading];
  if (a.kind !== "reading" || b.kind !== "reading") return other;
  const { dates, time, window } = { ...a, ...b };
  const hasTime = b.time !== undefined || b.window !== undefined;
  const merged: Reading = {
    kind: "reading",
    ...(dates ? { dates } : {}),
    ...(hasTime ? timeOf(b) : { ...(time === undefined ? {} : { time }), ...(window ? { window } : {}) }),
    isApproximate: a.isApproximate || b.isApproximate,
  };
  return { reading: merged, isEmpty: false };
}
const timeOf = ({ time, window }: Reading) => ({ ...(time === undefined ? {} : { time }), ...(window ? { window } : {}) });

function draftOf(text: string, context: SpokenContext): Draft {
  const { hour, minute } = partsIn(context.timeZone, context.now);
  return { text, days: [], times: [], today: dayIn(context.timeZone, context.now), minutes: hour * 60 + minute, context };
}

function readPart(plain: string, language: Language, context: SpokenContext): Part {
  const draft = draftOf(language === "es" ? plainEnglish(fromSpanish(plain)) : plainEnglish(plain), context);
  for (const rules of [edgeRules, clockRules, dateRules, dayOfMonthRules, relativeRules, weekRules, weekdayRules, dateRelations])
    applyRules(draft, rules);
  const isAny = draft.text.search(anyTime) >= 0;
  draft.text = draft.text.replace(anyTime, " ").replace(/ {2,}/g, " ");
  applyRules(draft, timeRules);
  applyRules(draft, timeRelations);
  return {
    reading: isAny && !/[dt]\d/.test(draft.text) ? anyReading(draft, language) : combined(draft, language),
    isEmpty: !isAny && !/[\d]/.test(draft.text),
  };
}

const anyReading = ({ text }: Draft, language: Language): WhenReading =>
  text.search(reversing) >= 0 || /\d/.test(text) || mayTurnAround(text, language) ? unknown : { kind: "reading", isApproximate: false };

const found = <T>(draft: Draft, letter: "d" | "t", list: T[]): T[] =>
  [...new Set(draft.text.match(new RegExp(`(?<!\\w)${letter}\\d+(?!\\w)`, "g")))].map((token) => list[Number(token.slice(1))]!);

function combined(draft: Draft, language: Language): WhenReading {
  const left = draft.text.replace(/(?<!\w)[dt]\d+(?!\w)/g, " ");
  if (/\d/.test(left) || left.search(reversing) >= 0 || mayTurnAround(left, language)) return unknown;
  const days = found(draft, "d", draft.days).reduce<DayChoice[] | undefined>((all, one) => together(all, one), []);
  const times = oneTime(found(draft, "t", draft.times));
  if (!days || !times || (days.length === 0 && times.length === 0)) return unknown;
  return asked(readingsOf(draft, days[0], times));
}

/** A weekday within a week, a day within a month, or twice the same. */
function together(all: DayChoice[] | undefined, next: DayChoice): DayChoice[] | undefined {
  const last = all?.[0];
  if (!all || !last) return all && [next];
  for (const [inner, outer] of [
    [last, next],
    [next, last],
  ] as const) {
    const narrow = within(inner, outer);
    if (narrow.length > 0) return [{ either: narrow }];
  }
  return undefined;
}

function within(inner: DayChoice, outer: DayChoice): Days[] {
  const narrow = outer.either.map(({ ranges }) => {
    const [{ from, until } = { from: "" }] = ranges;
    if (ranges.length !== 1 || until === undefined) return [];
    if (inner.weekdays && from !== until) {
      const all = inner.weekdays.flatMap((weekday) => weekdaysWithin(from, until, weekday)).toSorted();
      return all.length > 0 ? [{ ranges: all.map((day) => ({ from: day, until: day })) }] : [];
    }
    if (inner.weekdays) return inner.weekdays.includes(weekdayOf(from)) ? [oneDay(from)] : [];
    return inner.either.filter((one) =>
      one.ranges.every((range) => range.from >= from && range.until !== undefined && range.until <= until),
    );
  });
  return [...new Map(narrow.flat().map((days) => [JSON.stringify(days), days])).values()];
}

type SaidTime = { choice: TimeChoice; part?: TimeChoice | undefined };

/** At most one time, with the part of the day in which it is. */
function oneTime(said: TimeChoice[]): SaidTime[] | undefined {
  const different = [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
  const parts = different.filter(({ half }) => half);
  const rest = different.filter(({ half }) => !half);
  if (parts.length > 1 || rest.length > 1) return undefined;
  const [choice, part] = [rest[0], parts[0]];
  if (!choice) return part ? [{ choice: part }] : [];
  return [{ choice, part }];
}

function readingsOf({ context, today, minutes }: Draft, days: DayChoice | undefined, [time]: SaidTime[]): Reading[] {
  const all = (days?.either ?? [undefined]).flatMap((one) => {
    const settled = time ? settleTimes(context, time.choice, one, time.part?.half) : [undefined];
    return settled.flatMap((times) => {
      const inPart = times && time?.part ? intersected(times, time.part) : times;
      return inPart === null ? [] : [{ days: one, times: inPart }];
    });
  });
  const ahead = all.filter(({ days: one, times }) => one === undefined || !isOverToday(context, today, minutes, one, times));
  const kept = ahead.length > 0 ? ahead : all;
  const readings = kept.map(({ days: one, times }): Reading => ({
    kind: "reading",
    ...(one ? { dates: one.ranges } : {}),
    ...(times ? (times.isPoint ? { time: times.from } : { window: { from: times.from, until: times.until } }) : {}),
    isApproximate: one?.isApproximate === true || times?.isApproximate === true,
  }));
  return [...new Map(readings.map((one) => [JSON.stringify(one), one])).values()];
}

/** "Tomorrow afternoon after three": null where the two have no minute in common. */
function intersected(times: Times, { from, until, half }: TimeChoice): Times | null {
  if (times.isPoint) return (half === "am") === times.from < 720 ? times : null;
  const both = { from: Math.max(times.from, from.minutes), until: Math.min(times.until, until.minutes) };
  return both.from < both.until ? { ...times, ...both } : null;
}

const maxReadings = 4;
function asked(readings: Reading[]): WhenReading {
  const [only] = readings;
  if (!only || readings.length > maxReadings) return unknown;
  return readings.length === 1 ? only : { kind: "ambiguous", readings };
}
