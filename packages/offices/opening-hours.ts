import { weekdays, type BusinessHours, type Holiday } from "@vitaline/contract";
import { dayMs, fromWallClock, wallClock } from "@vitaline/core";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Past a week and the longest holidays. */
const maxDays = 40;

export type OpeningHours = BusinessHours & { holidays?: readonly Holiday[] | undefined };
/** 24:00 cannot be entered: closing in the last minute means open until midnight. */
const endOfDay = "23:59";

type Window = { opens: number; closes: number };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const closingOf = (time: string): number => (time === endOfDay ? dayMs / minuteMs : minutesOf(time));

/** Minutes after midnight on a day, yyyy-mm-dd; undefined if the office is closed that day. */
export function openingOn(
  { start, end, days: own, holidays }: Pick<OpeningHours, "start" | "end" | "days" | "holidays">,
  on: string,
): Window | undefined {
  if (holidays?.some(({ date }) => date === on)) return undefined;
  // JavaScript's week begins on Sunday, ours on Monday.
  const weekday = weekdays[(new Date(`${on}T00:00:00Z`).getUTCDay() + 6) % 7];
  const day = weekday && own?.[weekday];
  if (day === null) return undefined;
  const { start: from, end: until } = day ?? { start, end };
  return { opens: minutesOf(from), closes: closingOf(until) };
}

/** `midnight` and the result are wall-clock times as in wallClock; undefined for a closed day. */
function wallWindow(hours: OpeningHours, midnight: number): Window | undefined {
  const opening = openingOn(hours, new Date(midnight).toISOString().slice(0, 10));
  return opening && { opens: midnight + opening.opens * minuteMs, closes: midnight + opening.closes * minuteMs };
}

const midnightOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** The closing minute is outside. */
export function isOpen(hours: OpeningHours, at: Date): boolean {
  const wall = wallClock(hours.timezone, at.getTime());
  const window = wallWindow(hours, midnightOf(wall));
  return window !== undefined && window.opens <= wall && wall < window.closes;
}

/** The opening times on the day `days` after `at`, as instants. */
function windowOf(hours: OpeningHours, at: number, days: number): Window | undefined {
  const window = wallWindow(hours, midnightOf(wallClock(hours.timezone, at)) + days * dayMs);
  return window && { opens: fromWallClock(hours.timezone, window.opens), closes: fromWallClock(hours.timezone, window.closes) };
}

/** `at` itself while open; undefined if the office does not open again within weeks. */
export function nextOpening(hours: OpeningHours, at: Date): Date | undefined {
  if (isOpen(hours, at)) return at;
  for (let days = 0; days < maxDays; days++) {
    const opens = windowOf(hours, at.getTime(), days)?.opens;
    if (opens !== undefined && opens > at.getTime() && isOpen(hours, new Date(opens))) return new Date(opens);
  }
  return undefined;
}

/** The start of the last open hour before an instant at which the office is closed. */
export function lastOpenHour(hours: OpeningHours, at: Date): Date | undefined {
  for (let days = 0; days < maxDays; days++) {
    const before = windowOf(hours, at.getTime(), -days);
    if (!before || before.closes > at.getTime()) continue;
    const hour = Math.max(before.opens, before.closes - hourMs);
    return isOpen(hours, new Date(hour)) ? new Date(hour) : undefined;
  }
  return undefined;
}
