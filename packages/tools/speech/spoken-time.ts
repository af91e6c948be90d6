import { AppError } from "@vitaline/core";
import { fromWallClock, wallClock } from "@vitaline/offices";
import type { Run } from "../sdk/run.ts";
import { isoDate, parseSpokenDate } from "./spoken-date.ts";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const dayMs = 86_400_000;

export function partsIn(timeZone: string, instant: Date): { month: number; day: number; hour: number; minute: number } {
  const wall = new Date(wallClock(timeZone, instant.getTime()));
  return { month: wall.getUTCMonth() + 1, day: wall.getUTCDate(), hour: wall.getUTCHours(), minute: wall.getUTCMinutes() };
}

/** yyyy-mm-dd. */
export const dayIn = (timeZone: string, instant: Date): string =>
  new Date(wallClock(timeZone, instant.getTime())).toISOString().slice(0, 10);

/** A time skipped by a clock change gives the one after it. */
export const instantIn = (timeZone: string, day: string, minutes: number): Date =>
  new Date(fromWallClock(timeZone, Date.parse(`${day}T00:00:00Z`) + minutes * 60_000));

const addDays = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** "today", "tomorrow", "next Tuesday", "November 23rd" or a full date → yyyy-mm-dd, never in the past. */
export function dayFrom(text: string, timeZone: string, now: Date): string | undefined {
  const plain = text.trim().toLowerCase();
  const today = dayIn(timeZone, now);
  if (plain === "today") return today;
  if (plain === "tomorrow") return addDays(today, 1);
  const weekday = weekdays.findIndex((name) => new RegExp(`^(on |this |next )?(${name}|${name.slice(0, 3)})$`).test(plain));
  if (weekday >= 0) return addDays(today, (weekday - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7 || 7);
  const date = parseSpokenDate(text.replace(/^\s*(on\s+)?\p{L}+day,?\s+/iu, ""));
  if (date === undefined || date === "ambiguous") return undefined;
  const { year = Number(today.slice(0, 4)) } = date;
  const day = isoDate({ ...date, year });
  return date.year === undefined && day < today ? isoDate({ ...date, year: year + 1 }) : day;
}

/** "9:30 am", "14:00", "3 p.m.", "noon" → minutes after midnight. */
export function minutesFrom(text: string): number | undefined {
  const plain = text.trim().toLowerCase().replace(/^at /, "").replaceAll(".", "");
  if (plain === "noon") return 720;
  const [, h = "", m = "0", half] = /^(\d{1,2})(?::?(\d{2}))?(?::00)?\s*(am|pm)?$/.exec(plain) ?? [];
  const [hour, minute] = [Number(h), Number(m)];
  if (h === "" || minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return undefined;
  return ((hour % (half ? 12 : 24)) + (half === "pm" ? 12 : 0)) * 60 + minute;
}

/** An ISO instant, or a local date and time without an offset. */
export function startFrom(text: string, timeZone: string): Date | undefined {
  const [, day, time, offset] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text.trim()) ?? [];
  if (!day || !time || Number.isNaN(Date.parse(`${day}T${time}:00Z`))) return undefined;
  if (offset) return new Date(`${day}T${time}:00${/^z$/i.test(offset) ? "Z" : offset.replace(/^(...)(\d\d)$/, "$1:$2")}`);
  return instantIn(timeZone, day, minutesFrom(time) ?? 0);
}

const maxAheadMs = 2 * 366 * dayMs;
/** AppError `invalid_arguments` for `field`. */
export function requireWithinTwoYears({ ctx }: Pick<Run, "ctx">, wanted: Date, field: string): void {
  if (!(wanted.getTime() - ctx.clock().getTime() <= maxAheadMs))
    throw new AppError("invalid_arguments", "The date is too far ahead.", { fields: { [field]: "within the next two years" } });
}

/** "Monday, November 23". */
export const sayDate = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long", month: "long", day: "numeric" }).format(new Date(instant));

/** "Monday, November 23 at 9:30 AM". */
export function sayTime(start: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(start));
  return `${sayDate(start, timeZone)} at ${time}`.replace(/\s/gu, " ");
}
