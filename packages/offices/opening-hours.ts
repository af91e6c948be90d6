import { type BusinessHours, weekdays } from "@vitaline/contract";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A week and the day on either side of it. */
const daysAround = [...Array(9).keys()];
/** No clock shows 24:00: whoever closes in the last minute of the day is open until the day ends. */
const lastMinute = "23:59";

type Window = { opens: number; closes: number };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const closingOf = (time: string): number => (time === lastMinute ? dayMs / minuteMs : minutesOf(time));

/** When the doors are open on a day, by the clock on the wall, whose midnight is given; undefined when they are closed. */
function wallWindow({ start, end, days: own }: BusinessHours, midnight: number): Window | undefined {
  // Of JavaScript's weekdays the first is Sunday, of ours Monday.
  const weekday = weekdays[(new Date(midnight).getUTCDay() + 6) % 7];
  const day = weekday && own?.[weekday];
  if (day === null) return undefined;
  const { start: from, end: until } = day ?? { start, end };
  return { opens: midnight + minutesOf(from) * minuteMs, closes: midnight + closingOf(until) * minuteMs };
}

const midnightOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** Whether the doors are open at an instant, by the clock of the hours' own zone; the closing minute is outside. */
export function isOpen(hours: BusinessHours, at: Date): boolean {
  const wall = wallClock(hours.timezone, at.getTime());
  const window = wallWindow(hours, midnightOf(wall));
  return window !== undefined && window.opens <= wall && wall < window.closes;
}

/** The instants between which the doors are open on the day that lies `days` after the one of `at`. */
function windowOf(hours: BusinessHours, at: number, days: number): Window | undefined {
  const window = wallWindow(hours, midnightOf(wallClock(hours.timezone, at)) + days * dayMs);
  return window && { opens: instantOf(hours.timezone, window.opens), closes: instantOf(hours.timezone, window.closes) };
}

/** The instant itself while the doors are open, else the next at which they open; undefined where they never do. */
export function nextOpening(hours: BusinessHours, at: Date): Date | undefined {
  if (isOpen(hours, at)) return at;
  const later = daysAround
    .flatMap((days) => windowOf(hours, at.getTime(), days)?.opens ?? [])
    .find((opens) => opens > at.getTime() && isOpen(hours, new Date(opens)));
  return later === undefined ? undefined : new Date(later);
}

/** The start of the last hour in which the doors were open before an instant at which they are closed. */
export function lastOpenHour(hours: BusinessHours, at: Date): Date | undefined {
  const before = daysAround.flatMap((days) => windowOf(hours, at.getTime(), -days) ?? []).find(({ closes }) => closes <= at.getTime());
  const hour = before && Math.max(before.opens, before.closes - hourMs);
  return hour !== undefined && isOpen(hours, new Date(hour)) ? new Date(hour) : undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Making a format takes longer than a hundred uses of it. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      hourCycle: "h23",
    });
  formats.set(timeZone, known);
  return known;
}

/** What the calendar and clock of a zone show at an instant, to the minute, as an instant of a clock without zone: read it as UTC. */
export function wallClock(timeZone: string, at: number): number {
  const parts = formatIn(timeZone).formatToParts(at);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** The instant at which a clock there shows `wall`; of a time that a clock change skips, the one after it. */
export function instantOf(timeZone: string, wall: number): number {
  const guess = wall - (wallClock(timeZone, wall) - wall);
  return wall - (wallClock(timeZone, guess) - guess);
}
