import { readWhen } from "./read-when.ts";

/** A day that was said for sure, yyyy-mm-dd; undefined for a period, for two possible days and for none. */
export function dayFrom(text: string, timeZone: string, now: Date): string | undefined {
  const read = readWhen(text, { now, timeZone });
  const [range, ...others] = read.kind === "reading" ? (read.dates ?? []) : [];
  return range && others.length === 0 && range.from === range.until ? range.from : undefined;
}

/** Twelve hours, so that each hour of the clock is said once. */
const daytime = { start: "07:00", end: "19:00", timezone: "UTC" };

/** Minutes after midnight of a time that was said for sure; "three" is in the daytime. */
export function minutesFrom(text: string): number | undefined {
  const read = readWhen(text, { now: new Date(0), timeZone: "UTC", hours: daytime });
  return read.kind === "reading" ? read.time : undefined;
}
