import { dayAt } from "./calendar-days.ts";
import { dayMs, fromWallClock, wallClock } from "@vitaline/core";
import type { Run } from "../sdk/run.ts";

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
