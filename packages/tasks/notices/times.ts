import { dayMs, fromWallClock, wallClock } from "@vitaline/core";

const minuteMs = 60_000;
/** Minutes after midnight of "07:30". */
const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The next time the clock in the zone shows `clock`, after `afterMs`. */
export function nextAt(timeZone: string, clock: string, afterMs: number): Date {
  const wall = wallClock(timeZone, afterMs);
  const midnight = wall - (wall % dayMs);
  const today = fromWallClock(timeZone, midnight + minutesOf(clock) * minuteMs);
  return new Date(today > afterMs ? today : fromWallClock(timeZone, midnight + dayMs + minutesOf(clock) * minuteMs));
}

/** Quiet hours may go past midnight. */
export function isQuiet(timeZone: string, quiet: { from: string; to: string } | undefined, atMs: number): boolean {
  if (!quiet) return false;
  const now = (wallClock(timeZone, atMs) % dayMs) / minuteMs;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  return from <= to ? now >= from && now < to : now >= from || now < to;
}
