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
/** `windows`: without the breaks, in order. */
type Opening = Window & { windows: Window[] };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const closingOf = (time: string): number => (time === endOfDay ? dayMs / minuteMs : minutesOf(time));

/** Minutes after midnight on a day, yyyy-mm-dd; undefined if the office is closed that day. */
export function openingOn(
  { start, end, breaks: usual, days: own, holidays }: Pick<OpeningHours, "start" | "end" | "breaks" | "days" | "holidays">,
  on: string,
): Opening | undefined {
  if (holidays?.some(({ date }) => date === on)) return undefined;
  // JavaScript's week begins on Sunday, ours on Monday.
  const weekday = weekdays[(new Date(`${on}T00:00:00Z`).getUTCDay() + 6) % 7];
  const day = weekday && own?.[weekday];
  if (day === null) return undefined;
  const hours = day ?? { start, end, breaks: usual };
  const [opens, closes] = [minutesOf(hours.start), closingOf(hours.end)];
  const breaks = (hours.breaks ?? []).map((one) => ({ from: minutesOf(one.start), until: minutesOf(one.end) }));
  const starts = [opens, ...breaks.map(({ until }) => until)];
  const ends = [...breaks.map(({ from }) => from), closes];
  return { opens, closes, windows: starts.map((from, at) => ({ opens: from, closes: ends[at] ?? closes })) };
}

/** `midnight` and the result are wall-clock times as in wallClock; empty for a closed day. */
const wallWindows = (hours: OpeningHours, midnight: number): Window[] =>
  (openingOn(hours, new Date(midnight).toISOString().slice(0, 10))?.windows ?? []).map(({ opens, closes }) => ({
    opens: midnight + opens * minuteMs,
    closes: midnight + closes * minuteMs,
  }));

const midnightOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** The closing minute is outside. */
export function isOpen(hours: OpeningHours, at: Date): boolean {
  const wall = wallClock(hours.timezone, at.getTime());
  return wallWindows(hours, midnightOf(wall)).some(({ opens, closes }) => opens <= wall && wall < closes);
}

/** The opening times on the day `days` after `at`, as instants. */
const windowsOf = (hours: OpeningHours, at: number, days: number): Window[] =>
  wallWindows(hours, midnightOf(wallClock(hours.timezone, at)) + days * dayMs).map(({ opens, closes }) => ({
    opens: fromWallClock(hours.timezone, opens),
    closes: fromWallClock(hours.timezone, closes),
  }));

/** `at` itself while open; undefined if the office does not open again within weeks. */
export function nextOpening(hours: OpeningHours, at: Date): Date | undefined {
  if (isOpen(hours, at)) return at;
  for (let days = 0; days < maxDays; days++)
    for (const { opens } of windowsOf(hours, at.getTime(), days))
      if (opens > at.getTime() && isOpen(hours, new Date(opens))) return new Date(opens);
  return undefined;
}

/** The start of the last open hour before an instant at which the office is closed. */
export function lastOpenHour(hours: OpeningHours, at: Date): Date | undefined {
  for (let days = 0; days < maxDays; days++) {
    const before = windowsOf(hours, at.getTime(), -days).findLast(({ closes }) => closes <= at.getTime());
    if (!before) continue;
    const hour = Math.max(before.opens, before.closes - hourMs);
    return isOpen(hours, new Date(hour)) ? new Date(hour) : undefined;
  }
  return undefined;
}
