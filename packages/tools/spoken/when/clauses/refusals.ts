import { addDays, weekdaysWithin } from "../../calendar-days.ts";
import type { DateRange } from "../draft/draft.ts";
import { type Reading, readingsIn, unknown, type WhenReading } from "../draft/reading.ts";

const minutesInDay = 1440;

/** The days of a range outside another. */
function rangesWithout(range: DateRange, { from, until }: DateRange): DateRange[] {
  const isApart = (until !== undefined && until < range.from) || (range.until !== undefined && range.until < from);
  if (isApart) return [range];
  const earlier = range.from < from ? [{ from: range.from, until: addDays(from, -1) }] : [];
  const isLater = until !== undefined && (range.until === undefined || until < range.until);
  return isLater ? [...earlier, { ...range, from: addDays(until, 1) }] : earlier;
}

type Window = NonNullable<Reading["window"]>;
const windowOf = ({ time, window }: Reading): Window | undefined =>
  window ?? (time === undefined ? undefined : { from: time, until: time + 1 });

/** Undefined where nothing is left, or not one window. */
function windowWithout(window: Window, refused: Window): Window | undefined {
  if (refused.until <= window.from || window.until <= refused.from) return window;
  if (refused.from <= window.from && refused.until < window.until) return { ...window, from: refused.until };
  if (refused.from > window.from && refused.until >= window.until) return { ...window, until: refused.from };
  return undefined;
}

function readingWithout(wish: Reading, refused: Reading): Reading | undefined {
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
export type Refusal = { reading: WhenReading; weekdays: number[] };

/** Undefined for all such days of an endless time. */
function refusedWithin({ dates = [] }: Reading, { reading, weekdays }: Refusal): Reading[] | undefined {
  const all = readingsIn(reading);
  if (weekdays.length === 0) return all;
  if (dates.some(({ until }) => until === undefined)) return undefined;
  const days = dates.flatMap(({ from, until }) => weekdays.flatMap((weekday) => weekdaysWithin(from, until!, weekday)));
  return days.length === 0 && dates.length > 0 ? [] : all.map((one) => ({ ...one, dates: days.map((day) => ({ from: day, until: day })) }));
}

/** A reading without the days and times that do not suit; unknown where none is left, or more than one window. */
export function without(wish: WhenReading, refusals: Refusal[]): WhenReading {
  if (refusals.length === 0) return wish;
  if (refusals.some(({ reading }) => reading.kind === "unknown")) return unknown;
  const left = readingsIn(wish).flatMap((one) => {
    const within = refusals.map((refusal) => refusedWithin(one, refusal));
    const refused = within.flatMap((some) => some ?? []);
    if (within.includes(undefined)) return [];
    if (!one.dates && refused.some(({ dates, time, window }) => dates && time === undefined && !window)) return [];
    return refused.reduce<Reading | undefined>((rest, other) => rest && readingWithout(rest, other), one) ?? [];
  });
  const [only] = left;
  if (!only) return unknown;
  return left.length === 1 ? only : { kind: "ambiguous", readings: left };
}
