import { weekdayOf, weekdaysWithin } from "../calendar-days.ts";
import { wishesOf } from "./clauses/after-that.ts";
import { clausesOf } from "./clauses/clauses.ts";
import { type Refusal, without } from "./clauses/refusals.ts";
import { dateRules, dayOfMonthRules } from "./date-rules.ts";
import {
  applyRules,
  type DateRange,
  type DayChoice,
  type Days,
  type Draft,
  oneDay,
  rangeOf,
  type SpokenContext,
  type TimeChoice,
  words,
} from "./draft.ts";
import { plainEnglish } from "./english.ts";
import { dayIn, partsIn } from "../local-time.ts";
import type { Language } from "../numbers.ts";
import { noPreference } from "./no-preference.ts";
import { languageOf, plainText } from "./plain-text.ts";
import { isOverToday, settleTimes, type Times } from "./settle.ts";
import { fromSpanish } from "./spanish.ts";
import { clockRules, edgeRules, timeRelations, timeRules } from "./time-rules.ts";
import { dateRelations, notToday } from "./date-relations.ts";
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

/** Words that turn a reading into another where no rule has read them. */
const reversing = words(
  "does ?nt (?:work|suit|fit)|does not (?:work|suit|fit)|wo ?nt work|avoid|skip|without|rather than|everything but|fully? booked|is full|day off|(?:i|we) work|im working|(?:visit|appointment|one|cita) was|trabajo|trabajamos|evitar|menos|salvo|excepto|no puedo|impossible|while|busy|out of town|unavailable|no good|bad|booked|ocupad[oa]|any ?(?:time|day|date) (?:but|other|besides)|not|except|anything but|any day but|any ?time but|other than|besides|instead of|never|cannot|cant|dont|do not|wont|unless|before|after|until|between|birthday|every other|ago|either side",
);
const corrections =
  /(?:^| )(?:;|no wait|wait no|oh wait|wait|no sorry|sorry no|sorry|i mean|(?<!(?:cant|couldnt|wont|can|could|not|to|might) )make (?:that|it)|scratch that|or rather|better yet|no no|excuse me|actually|digo|perdon|mejor|quiero decir|no espere|no perdon)(?= |$)|(?<=[^ ])(?<! (?:have|got|has|want|are|is|with|theres|say|there|said)) (?:(?:uh|um|er|eh) )?no(?= (?:(?:the|at|on|make it) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+th|first|second|third|\d)(?: |$))/g;

/** Longer than any such phrase. */
const maxLength = 200;

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
  const read = (text: string) => draftFrom(text, language, context);
  const clauses = clausesOf(plain, language, (text) => ({
    day: /d\d/.test(read(text).draft.text),
    time: /t\d/.test(read(text).draft.text),
  }));
  if (!clauses) return { reading: unknown, isEmpty: false };
  const refusals = clauses
    .filter(({ kind }) => kind === "refusal")
    .map(({ text }) => read(text))
    .filter(({ draft }) => /\d/.test(draft.text))
    .map(refusalIn);
  const wishes = wishesOf(clauses, language, (text) => {
    const base = readWords(read(text));
    const all = base.kind === "ambiguous" ? base.readings : base.kind === "reading" ? [base] : [];
    return all.filter(({ dates, time, window }) => dates || time !== undefined || window);
  });
  const wish = read(wishes);
  const isEmpty = !wish.isAny && !/[\d]/.test(wish.draft.text);
  const rest = isEmpty ? restOf(wish.draft.today, refusals) : undefined;
  return {
    reading: without(rest ?? readSurely(wish), refusals),
    isEmpty: isEmpty && refusals.length === 0,
  };
}

/** What "not in the morning" and "I'm away until the tenth" leave by themselves. */
function restOf(today: string, refusals: Refusal[]): Reading | undefined {
  const all = refusals.map(({ reading }) => (reading.kind === "reading" ? reading : undefined));
  if (all.length === 0 || all.includes(undefined)) return undefined;
  if (all.every((one) => !one?.dates)) return anyReading;
  const isFromToday = all.every(
    (one) => one?.time === undefined && !one?.window && one?.dates?.every(({ from, until }) => from === today && until),
  );
  return isFromToday ? { ...anyReading, dates: [{ from: today }] } : undefined;
}

/** "Not Friday" is none of the Fridays, "not this Friday" only that one. */
function refusalIn(words: Words): Refusal {
  const { text, days } = words.draft;
  const all = found(text, "d", days);
  const ranges = all.flatMap(({ either }) => either.flatMap((one) => one.ranges));
  const isDaysOnly = all.length > 1 && !/(?<!\w)t\d|(?<![dt\d])\d/.test(text);
  return {
    reading: isDaysOnly ? { kind: "reading", dates: ranges, isApproximate: false } : readWords(words),
    weekdays: words.isOneWeekday ? [] : all.flatMap(({ weekdays = [] }) => weekdays),
  };
}

/** `isAny`: no preference was said. `isOneWeekday`: this one or the next. */
type Words = { draft: Draft; isAny: boolean; isOneWeekday: boolean };

function draftFrom(plain: string, language: Language, context: SpokenContext): Words {
  const draft = draftOf(language === "es" ? plainEnglish(fromSpanish(plain)) : plainEnglish(plain), context);
  for (const rules of [edgeRules, clockRules, dateRules, dayOfMonthRules, relativeRules, weekRules, weekdayRules, dateRelations])
    applyRules(draft, rules);
  const isAny = draft.text.search(noPreference) >= 0;
  draft.text = draft.text.replace(noPreference, " ").replace(/ {2,}/g, " ");
  applyRules(draft, timeRules);
  applyRules(draft, timeRelations);
  return { draft, isAny, isOneWeekday: /\b(?:this|next|coming|last|est[ea]|proxim[oa]|que viene)\b/.test(plain) };
}

const readWords = ({ draft, isAny }: Words): WhenReading => (isAny && !/\d/.test(draft.text) ? anyReading : combined(draft));
/** Unknown where a word that no rule has read can reverse it. */
const readSurely = (words: Words): WhenReading => (words.draft.text.search(reversing) >= 0 ? unknown : readWords(words));

const anyReading: Reading = { kind: "reading", isApproximate: false };

const found = <T>(text: string, letter: "d" | "t", list: T[]): T[] =>
  [...new Set(text.match(new RegExp(`(?<!\\w)${letter}\\d+(?!\\w)`, "g")))].map((token) => list[Number(token.slice(1))]!);

function combined(draft: Draft): WhenReading {
  const left = draft.text.replace(/(?<!\w)[dt]\d+(?!\w)/g, " ");
  if (/\d/.test(left) || isDayOrTime(draft.text)) return unknown;
  const days = oneChoice(draft, draft.text);
  const times = oneTime(found(draft.text, "t", draft.times));
  if (!days || !times) return asked(alternatives(draft));
  return days.length === 0 && times.length === 0 ? unknown : asked(readingsOf(draft, days[0], times));
}

/** "After five or Saturday": at no time that is said of the day. */
function isDayOrTime(text: string): boolean {
  const kinds = text.split(/(?<= |^)or(?= )/).map((part) => [/(?<!\w)d\d/, /(?<!\w)t\d/].map((token) => token.test(part)));
  return kinds.some(([day, time], at) => day && !time && [kinds[at - 1], kinds[at + 1]].some((next) => next && !next[0] && next[1]));
}

/** "Monday morning or Wednesday afternoon": each has a day and a time of its own. */
function alternatives(draft: Draft): Reading[] {
  const all = draft.text.split(/ (?:or|and|otherwise|then)(?= )/).filter((text) => /(?<!\w)[dt]\d/.test(text));
  const days = all.map((text) => oneChoice(draft, text) ?? []);
  const read = all.map((text, at) => {
    const times = oneTime(found(text, "t", draft.times));
    const [own, other] = [days[at]?.[0], days[at === 0 ? 1 : 0]?.[0]];
    return own && other && times?.length === 1 ? readingsOf(draft, notToday(draft, own, other), times) : [];
  });
  return read.every((one) => one.length > 0) ? atOneTime(read.flat()) : [];
}

/** "Ten tomorrow or ten on Friday" is one time on either day. */
function atOneTime(all: Reading[]): Reading[] {
  const [{ dates: _, ...first } = anyReading, ...others] = all;
  const isSame = others.every(({ dates: __, ...time }) => JSON.stringify(time) === JSON.stringify(first));
  return isSame ? [{ ...first, dates: all.flatMap(({ dates = [] }) => dates).toSorted((a, b) => a.from.localeCompare(b.from)) }] : all;
}

const oneChoice = (draft: Draft, text: string): DayChoice[] | undefined =>
  found(text, "d", draft.days).reduce<DayChoice[] | undefined>((all, one) => together(all, one), []);

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
    const [endless] = inner.either.length === 1 ? inner.either[0]!.ranges : [];
    if (endless && endless.until === undefined && endless.from >= from && endless.from <= until) return [rangeOf(endless.from, until)];
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

/** "Not before nine and by eleven" is one window. */
function bothBounds(said: TimeChoice[]): TimeChoice[] {
  const [from, until] = (["from", "until"] as const).map((bound) => said.find((one) => one.bound === bound && one.from === one.until));
  if (said.length === 2 && from && until) return [{ from: from.from, until: until.until }];
  const ends = said.filter(({ bound }) => bound === "until");
  // "Out by noon, so ten thirty at the latest".
  return ends.length === 2 && said.length === 2 ? ends.toSorted((a, b) => a.from.minutes - b.from.minutes).slice(0, 1) : said;
}

/** "Over lunch, so noon": the narrower of two where one is in the other. */
function narrower(said: TimeChoice[]): TimeChoice[] {
  const [a, b, ...more] = said;
  if (!a || !b || more.length > 0) return said;
  const isIn = (one: TimeChoice, other: TimeChoice) => {
    if (one.bound || other.bound || one.edge || other.edge || other.from.isOpen || other.from === other.until) return false;
    const minutes = [one.from, one.until].map((at) => (at.isOpen && at.minutes < other.from.minutes ? at.minutes + 720 : at.minutes));
    return minutes.every((at) => other.from.minutes <= at && at <= other.until.minutes);
  };
  const inside = (one: TimeChoice, other: TimeChoice): TimeChoice[] => {
    const near = (at: TimeChoice["from"]) => ({ minutes: at.isOpen && at.minutes < other.from.minutes ? at.minutes + 720 : at.minutes });
    const from = near(one.from);
    return [{ ...one, from, until: one.until === one.from ? from : near(one.until) }];
  };
  return isIn(a, b) ? inside(a, b) : isIn(b, a) ? inside(b, a) : said;
}

/** At most one time, with the part of the day in which it is. */
function oneTime(said: TimeChoice[]): SaidTime[] | undefined {
  const different = [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
  const parts = different.filter(({ half }) => half);
  const rest = narrower(bothBounds(different.filter(({ half }) => !half)));
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
