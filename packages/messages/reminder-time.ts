import type { BusinessHours } from "@vitaline/contract";
import { isOpen, lastOpenHour, nextOpening } from "@vitaline/offices";

const hourMs = 3_600_000;
export const remindBeforeMs = 24 * hourMs;
/** A reminder that comes later than this before the appointment helps nobody. */
export const latestBeforeMs = hourMs;

/**
 * When to remind of an appointment: a day before it; where the doors are closed then, in the last hour in which they were open before
 * that, or, if that is past, as soon as they open. Undefined when that would be less than an hour before the appointment.
 */
export function reminderTime(hours: BusinessHours, start: Date, now: Date): Date | undefined {
  const wanted = new Date(start.getTime() - remindBeforeMs);
  const best = isOpen(hours, wanted) ? wanted : lastOpenHour(hours, wanted);
  if (best && best >= now) return best;
  const later = nextOpening(hours, new Date(Math.max(wanted.getTime(), now.getTime())));
  return later && later.getTime() <= start.getTime() - latestBeforeMs ? later : undefined;
}
