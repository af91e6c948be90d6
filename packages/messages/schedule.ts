import type { BusinessHours } from "@vitaline/contract";
import { isOpen, lastOpenHour, nextOpening } from "@vitaline/offices";

const hourMs = 3_600_000;
export const remindBeforeMs = 24 * hourMs;
export const minNoticeMs = hourMs;

/**
 * When to remind of an appointment: a day before; if the office is closed then, in the last open hour before that, or if that is
 * past, at the next opening. Undefined if that is less than an hour before the appointment.
 */
export function reminderTime(hours: BusinessHours, start: Date, now: Date): Date | undefined {
  const wanted = new Date(start.getTime() - remindBeforeMs);
  const best = isOpen(hours, wanted) ? wanted : lastOpenHour(hours, wanted);
  if (best && best >= now) return best;
  const later = nextOpening(hours, new Date(Math.max(wanted.getTime(), now.getTime())));
  return later && later.getTime() <= start.getTime() - minNoticeMs ? later : undefined;
}
