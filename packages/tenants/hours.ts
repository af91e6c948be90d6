import type { BusinessHours, HoursChange } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { applied } from "./edit.ts";

/**
 * Hours after a change of them: what it leaves out stays. AppError `invalid_request`, said of `field`, where the end is then
 * not after the start.
 */
export function hoursAfter(hours: BusinessHours, change: HoursChange, field: string): BusinessHours {
  const after = applied(hours, change);
  if (after.start < after.end) return after;
  const message = "Must be after the start";
  throw new AppError("invalid_request", message, { fields: { [`${field}.end`]: message } });
}

/** Hours of one's own where the inherited ones held: what is left out is as with those. AppError as hoursAfter. */
export function hoursUnder(inherited: BusinessHours, own: HoursChange, field: string): BusinessHours {
  const { days: _days, ...anyDay } = inherited;
  // Somebody else's exceptions say nothing of a range of one's own.
  const hasRange = own.start !== undefined || own.end !== undefined;
  return hoursAfter(hasRange ? anyDay : inherited, own, field);
}
