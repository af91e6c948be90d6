import { dayIn } from "@vitaline/core";
import type { Run } from "../sdk/run.ts";
import { instantIn, partsIn, startFrom } from "../nlu/calendar.ts";
import type { UtteranceContext } from "../nlu/when/parse-state/parse-state.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";
import { readWhen } from "../nlu/when/read-when.ts";
import type { OpenSlot, TimeOfDay } from "./slot-source.ts";

/** What the caller said of the time, as the model passes it on. */
export type TimeRequest = {
  start?: string | undefined;
  date?: string | undefined;
  time?: string | undefined;
  timeOfDay?: TimeOfDay | undefined;
};

const partsOfDay: Record<TimeOfDay, { from: number; until: number }> = {
  morning: { from: 0, until: 12 * 60 },
  afternoon: { from: 12 * 60, until: 17 * 60 },
  evening: { from: 17 * 60, until: 24 * 60 },
};

/** The possible readings: one for sure, several to be asked about, none if it was not understood. undefined if nothing was said. */
export function interpretTime(run: Pick<Run, "ctx" | "timeZone" | "hours">, request: TimeRequest): TimeReading[] | undefined {
  const { timeZone } = run;
  const { start, date, time, timeOfDay } = request;
  const instant = start === undefined ? undefined : startFrom(start, timeZone);
  if (start !== undefined) return instant ? [readingOf(instant, timeZone)] : [];
  const window = timeOfDay && partsOfDay[timeOfDay];
  const context = { now: run.ctx.clock(), timeZone, hours: run.hours };
  const days =
    date === undefined
      ? undefined
      : readingsOf(dayOfIso(date, timeZone), context).filter((one) => one.dates !== undefined || one.time === undefined);
  const times = time === undefined ? undefined : readingsOf(clockOfIso(time), context);
  if (!days && !times) return window && [{ kind: "reading", window, isApproximate: false }];
  const said = (days ?? [anyDay]).flatMap((day) => (times ?? [anyDay]).flatMap((at) => combine(day, at)));
  const within = window ? said.filter((one) => one.time === undefined || isWithin(window, one.time)) : said;
  return within.map((one) => (window && one.time === undefined && one.window === undefined ? { ...one, window } : one));
}

const anyDay: TimeReading = { kind: "reading", isApproximate: false };

function readingsOf(text: string, context: UtteranceContext): TimeReading[] {
  const read = readWhen(text, context);
  if (read.kind === "unknown") return [];
  return read.kind === "ambiguous" ? read.readings : [read];
}

/** A day and a time that were said apart; none if the time is at another part of the day, or on another day. */
function combine(day: TimeReading, at: TimeReading): TimeReading[] {
  const isOutside = day.window !== undefined && at.time !== undefined && !isWithin(day.window, at.time);
  if (isOutside || (day.dates && at.dates && JSON.stringify(day.dates) !== JSON.stringify(at.dates))) return [];
  const dates = day.dates ?? at.dates;
  const time = at.time ?? day.time;
  const window = at.window ?? (at.time === undefined ? day.window : undefined);
  return [
    {
      kind: "reading",
      ...(dates ? { dates } : {}),
      ...(time === undefined ? {} : { time }),
      ...(window ? { window } : {}),
      isApproximate: day.isApproximate || at.isApproximate,
    },
  ];
}

/** Models write a day with the time of midnight, or the start of a visit, whose local day is meant. */
function dayOfIso(date: string, timeZone: string): string {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})?/.exec(date.trim()) ?? [];
  if (day === undefined) return date;
  const instant = clock === "00:00" ? undefined : startFrom(date, timeZone);
  return instant ? dayIn(timeZone, instant) : day;
}
/** With seconds and an offset. */
const clockOfIso = (time: string): string => /^(\d{1,2}:\d{2})(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?$/i.exec(time.trim())?.[1] ?? time;

function readingOf(instant: Date, timeZone: string): TimeReading {
  const day = dayIn(timeZone, instant);
  const { hour, minute } = partsIn(timeZone, instant);
  return { kind: "reading", dates: [{ from: day, until: day }], time: hour * 60 + minute, isApproximate: false };
}

const isWithin = ({ from, until }: { from: number; until: number }, minutes: number): boolean => minutes >= from && minutes < until;

export const isOnDay = ({ dates }: TimeReading, day: string): boolean =>
  dates === undefined || dates.some(({ from, until }) => day >= from && (until === undefined || day <= until));

/** An approximate time is an hour around it; the end of an approximate window is part of it. */
export function fitsReading(reading: TimeReading, { start }: Pick<OpenSlot, "start">, timeZone: string): boolean {
  const at = new Date(start);
  if (Number.isNaN(at.getTime())) return false;
  const { hour, minute } = partsIn(timeZone, at);
  const minutes = hour * 60 + minute;
  const { time, window, isApproximate } = reading;
  const isAtTime = time === undefined || (isApproximate ? Math.abs(minutes - time) <= 60 : minutes === time);
  const isInWindow = !window || isWithin(window, minutes) || (isApproximate && minutes === window.until);
  return isOnDay(reading, dayIn(timeZone, at)) && isAtTime && isInWindow;
}

/** The instant of one day and one time; undefined for a period. */
export function exactStart({ dates = [], time, isApproximate }: TimeReading, timeZone: string): Date | undefined {
  const [range, ...others] = dates;
  const isOneDay = range !== undefined && others.length === 0 && range.from === range.until;
  return isOneDay && time !== undefined && !isApproximate ? instantIn(timeZone, range.from, time) : undefined;
}
