import type { Run } from "../sdk/run.ts";
import { dayIn, instantIn, partsIn, startFrom } from "../spoken/local-time.ts";
import { type Reading, readWhen } from "../spoken/when/read-when.ts";
import type { OpenSlot, TimeOfDay } from "./calendar.ts";

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
export function readRequest(run: Pick<Run, "ctx" | "timeZone" | "hours">, request: TimeRequest): Reading[] | undefined {
  const { timeZone } = run;
  const { start, date, time, timeOfDay } = request;
  const instant = start === undefined ? undefined : startFrom(start, timeZone);
  if (start !== undefined) return instant ? [readingOf(instant, timeZone)] : [];
  const window = timeOfDay && partsOfDay[timeOfDay];
  const said = [date, time].filter((part) => part !== undefined);
  if (said.length === 0) return window && [{ kind: "reading", window, isApproximate: false }];
  const read = readWhen(said.join(" at "), { now: run.ctx.clock(), timeZone, hours: run.hours });
  if (read.kind === "unknown") return [];
  const readings = read.kind === "ambiguous" ? read.readings : [read];
  if (!window) return readings;
  const within = readings.filter((one) => one.time === undefined || isWithin(window, one.time));
  return within.map((one) => (one.time === undefined && one.window === undefined ? { ...one, window } : one));
}

function readingOf(instant: Date, timeZone: string): Reading {
  const day = dayIn(timeZone, instant);
  const { hour, minute } = partsIn(timeZone, instant);
  return { kind: "reading", dates: [{ from: day, until: day }], time: hour * 60 + minute, isApproximate: false };
}

const isWithin = ({ from, until }: { from: number; until: number }, minutes: number): boolean => minutes >= from && minutes < until;

export const isOnDay = ({ dates }: Reading, day: string): boolean =>
  dates === undefined || dates.some(({ from, until }) => day >= from && (until === undefined || day <= until));

export function fitsReading(reading: Reading, { start }: Pick<OpenSlot, "start">, timeZone: string): boolean {
  const at = new Date(start);
  const { hour, minute } = partsIn(timeZone, at);
  const minutes = hour * 60 + minute;
  const { time, window } = reading;
  return isOnDay(reading, dayIn(timeZone, at)) && (time === undefined || time === minutes) && (!window || isWithin(window, minutes));
}

/** The instant of one day and one time; undefined for a period. */
export function exactStart({ dates = [], time, isApproximate }: Reading, timeZone: string): Date | undefined {
  const [range, ...others] = dates;
  const isOneDay = range !== undefined && others.length === 0 && range.from === range.until;
  return isOneDay && time !== undefined && !isApproximate ? instantIn(timeZone, range.from, time) : undefined;
}
