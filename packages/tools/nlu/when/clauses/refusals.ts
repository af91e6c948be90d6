import { addDays, weekdayOf, weekdaysWithin } from "../../calendar.ts";
import type { DateRange } from "../parse-state/parse-state.ts";
import { type TimeReading, readingsIn, unknown, type WhenReading } from "../parse-state/reading.ts";

const minutesInDay = 1440;

/** The days of a range outside another. */
function rangesWithout(range: DateRange, { from, until }: DateRange): DateRange[] {
  const isApart = (until !== undefined && until < range.from) || (range.until !== undefined && range.until < from);
  if (isApart) return [range];
  const earlier = range.from < from ? [{ from: range.from, until: addDays(from, -1) }] : [];
  const isLater = until !== undefined && (range.until === undefined || until < range.until);
  return isLater ? [...earlier, { ...range, from: addDays(until, 1) }] : earlier;
}

type Window = NonNullable<TimeReading["window"]>;
const windowOf = ({ time, window }: TimeReading): Window | undefined =>
  window ?? (time === undefined ? undefined : { from: time, until: time + 1 });

/** Undefined where nothing is left, or not one window. */
function windowWithout(window: Window, refused: Window): Window | undefined {
  if (refused.until <= window.from || window.until <= refused.from) return window;
  if (refused.from <= window.from && refused.until < window.until) return { ...window, from: refused.until };
  if (refused.from > window.from && refused.until >= window.until) return { ...window, until: refused.from };
  return undefined;
}

function readingWithout(wish: TimeReading, refused: TimeReading): TimeReading | undefined {
  const [own, other] = [windowOf(wish), windowOf(refused)];
  const days = refused.dates ?? [];
  if (!other) {
    const ranges = wish.dates ?? [];
    const left = days.reduce((all, day) => all.flatMap((range) => rangesWithout(range, day)), ranges);
    return left.length > 0 ? { ...wish, dates: left } : undefined;
  }
  const isSameDay =
    !wish.dates || days.length === 0 || wish.dates.some((range) => days.some((day) => rangesWithout(range, day)[0] !== range));
  if (!isSameDay) return wish;
  const left = windowWithout(own ?? { from: 0, until: minutesInDay }, other);
  if (!left || (days.length > 0 && left !== own)) return undefined;
  return left === own || wish.time !== undefined ? wish : { ...wish, window: left };
}

/** `weekdays`: said as weekdays alone, which are all of them. */
export type Refusal = { reading: WhenReading; cue: string; weekdays: number[] };

/** "Not", "can't", "any but"; not "I work", "change my" or "instead of". */
const exclusion =
  /(?<= |^)(?:not?|nt|cant|cannot|couldnt|wont|doesnt|dont|isnt|arent|aint|bad|tough|hard|full|out|impossible|imposible|nothing|none|but|except|besides|other than|forget|scratch|skip|menos|excepto|salvo|a excepcion|nada|sino|holiday|thanksgiving|christmas|feriado|gracias|navidad)(?= |$)/;

/** "Not in the morning", "any day but Friday" and "I'm away until the tenth" leave the rest by themselves; other ranges may be weekly. */
export const isRestClear = (today: string, refusals: Refusal[]): boolean =>
  refusals.length > 0 &&
  refusals.every(({ reading, cue, weekdays }) => {
    const all = readingsIn(reading);
    if (all.every(({ dates }) => !dates)) return all.length > 0;
    if (all.some(({ dates, time, window }) => !dates || time !== undefined || window)) return false;
    const ranges = all.flatMap(({ dates = [] }) => dates);
    if (all.length === 1 && ranges.every(({ from, until }) => from === today && until)) return true;
    return exclusion.test(cue) && (weekdays.length > 0 || (all.length === 1 && ranges.every(({ from, until }) => from === until)));
  });

const daysToChoose = 14;

/** Where no day was said: the next two weeks for weekdays that do not suit, else any day from today. */
function daysToLeave(today: string | undefined, refusals: Refusal[]): DateRange[] | undefined {
  const isOfDays = refusals.some(({ reading }) =>
    readingsIn(reading).some(({ dates, time, window }) => dates && time === undefined && !window),
  );
  if (!isOfDays) return undefined;
  if (today === undefined) return [];
  const weekdays = refusals.flatMap((one) => one.weekdays);
  if (weekdays.length === 0) return [{ from: today }];
  return [...Array(daysToChoose).keys()]
    .map((days) => addDays(today, days))
    .filter((day) => !weekdays.includes(weekdayOf(day)))
    .map((day) => ({ from: day, until: day }));
}

const isLong = ({ from, until }: DateRange): boolean => from !== until;

/** "Friday at four no, at three": on that day. "Not mornings next week but afternoons": in that week. */
function dayKept(wish: TimeReading, refusals: Refusal[]): DateRange[] | undefined {
  if (!refusals.every(({ cue }) => exclusion.test(cue))) return undefined;
  const all = refusals.flatMap(({ reading }) => readingsIn(reading));
  const [said, ...others] = all.filter(({ dates }) => dates);
  if (!said || others.length > 0) return undefined;
  if (wish.time !== undefined) return all.every(({ time }) => time !== undefined) ? said.dates : undefined;
  return wish.window && said.window && all.length === 1 && said.dates?.every(isLong) ? said.dates : undefined;
}

/** Undefined for all such days of an endless time. */
function refusedWithin({ dates = [] }: TimeReading, { reading, weekdays }: Refusal): TimeReading[] | undefined {
  const all = readingsIn(reading);
  if (weekdays.length === 0) return all;
  if (dates.some(({ until }) => until === undefined)) return undefined;
  const days = dates.flatMap(({ from, until }) => weekdays.flatMap((weekday) => weekdaysWithin(from, until!, weekday)));
  return days.length === 0 && dates.length > 0 ? [] : all.map((one) => ({ ...one, dates: days.map((day) => ({ from: day, until: day })) }));
}

function leftOf(one: TimeReading, refusals: Refusal[]): TimeReading | undefined {
  const within = refusals.map((refusal) => refusedWithin(one, refusal));
  if (within.includes(undefined)) return undefined;
  return within.flatMap((some) => some ?? []).reduce<TimeReading | undefined>((rest, other) => rest && readingWithout(rest, other), one);
}

const once = (refusals: Refusal[]): Refusal[] => refusals.map((refusal) => ({ ...refusal, weekdays: [] }));

/** A reading without the days and times that do not suit, without `today` only of days that were said; unknown where none is left, or more than one window. */
export function without(wish: WhenReading, refusals: Refusal[], today: string | undefined): WhenReading {
  if (refusals.length === 0) return wish;
  if (refusals.some(({ reading }) => reading.kind === "unknown")) return unknown;
  const left = readingsIn(wish).flatMap((one) => {
    const dates = one.dates ?? dayKept(one, refusals) ?? daysToLeave(today, refusals);
    const said = dates ? { ...one, dates } : one;
    // "Not Monday, the Monday after" refuses one Monday.
    return leftOf(said, refusals) ?? (one.dates && leftOf(said, once(refusals))) ?? [];
  });
  const [only] = left;
  if (!only) return unknown;
  return left.length === 1 ? only : { kind: "ambiguous", readings: left };
}
