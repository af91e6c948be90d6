import { dayMs, fromWallClock, wallClock } from "@vitaline/core";
import type { Run } from "../sdk/run.ts";

/** Days are yyyy-mm-dd, of no time zone. Weekdays count from Sunday, 0. */
export const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/** Of a regular expression. */
export const anyWeekday = weekdayNames.join("|");
export const anySpanishWeekday = "lunes|martes|miercoles|jueves|viernes|sabado|domingo";

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date): string => date.toISOString().slice(0, 10);

export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** undefined if the calendar has no such day, or for a year that no caller means. */
export const dayAt = (year: number, month: number, day: number): string | undefined =>
  year >= 1900 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
    ? toDay(new Date(Date.UTC(year, month - 1, day)))
    : undefined;

export const addDays = (day: string, days: number): string => toDay(new Date(dateOf(day).getTime() + days * dayMs));

export const yearOf = (day: string): number => Number(day.slice(0, 4));
export const monthOf = (day: string): number => Number(day.slice(5, 7));
export const weekdayOf = (day: string): number => dateOf(day).getUTCDay();

export const monthStart = (day: string, months = 0): string => toDay(new Date(Date.UTC(yearOf(day), monthOf(day) - 1 + months, 1)));
export const monthEnd = (day: string): string => addDays(monthStart(day, 1), -1);

/** The last day of the month where it has no such day. */
export function addMonths(day: string, months: number): string {
  const start = monthStart(day, months);
  return addDays(start, Math.min(Number(day.slice(8)), Number(monthEnd(start).slice(8))) - 1);
}

/** The Monday of its week. */
export const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7));

/** The first such weekday on the day or after it. */
export const weekdayFrom = (day: string, weekday: number): string => addDays(day, (weekday - weekdayOf(day) + 7) % 7);

/** More than two years. */
const maxWeekdays = 120;
/** All such weekdays within the days, the first 120. */
export function weekdaysWithin(from: string, until: string, weekday: number): string[] {
  const all: string[] = [];
  for (let day = weekdayFrom(from, weekday); day <= until && all.length < maxWeekdays; day = addDays(day, 7)) all.push(day);
  return all;
}

export function partsIn(timeZone: string, instant: Date): { month: number; day: number; hour: number; minute: number } {
  const wall = new Date(wallClock(timeZone, instant.getTime()));
  return { month: wall.getUTCMonth() + 1, day: wall.getUTCDate(), hour: wall.getUTCHours(), minute: wall.getUTCMinutes() };
}

/** A time skipped by a clock change gives the one after it. */
export const instantIn = (timeZone: string, day: string, minutes: number): Date =>
  new Date(fromWallClock(timeZone, Date.parse(`${day}T00:00:00Z`) + minutes * 60_000));

/** An ISO instant, or a local date and time without an offset. */
export function startFrom(text: string, timeZone: string): Date | undefined {
  const [, day, time, offset] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text.trim()) ?? [];
  if (!day || !time || time > "23:59" || dayAt(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))) === undefined)
    return undefined;
  if (Number.isNaN(Date.parse(`${day}T${time}:00Z`))) return undefined;
  if (offset) {
    const instant = new Date(`${day}T${time}:00${/^z$/i.test(offset) ? "Z" : offset.replace(/^(...)(\d\d)$/, "$1:$2")}`);
    return Number.isNaN(instant.getTime()) ? undefined : instant;
  }
  return instantIn(timeZone, day, Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
}

const maxAheadMs = 2 * 366 * dayMs;
export const isWithinTwoYears = ({ ctx }: Pick<Run, "ctx">, wanted: Date): boolean =>
  wanted.getTime() - ctx.clock().getTime() <= maxAheadMs;
