import type { Audit, OutgoingRow } from "@vitaline/store";
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

const minuteMs = 60_000;

/** The result of processing a due row: finished, or due again later; with an audit row, if any. */
export type ProcessedRow =
  | { over: true; audit?: Audit }
  | ({ later: Date; audit?: Audit } & Pick<OutgoingRow, "tries"> & Pick<Extract<OutgoingRow, { kind: "reminder" }>, "planned" | "sent">);

const maxWaitMs = 30 * minuteMs;
/** Exponential backoff: two minutes after the first try, at most half an hour. */
export const backoffMs = (tries: number): number => Math.min(2 ** tries * minuteMs, maxWaitMs);

/** A row outlives its due time by this, in case it cannot be processed at once. */
const graceSeconds = 3 * 86_400;
export const outgoingExpiry = (dueAt: Date): number => Math.floor(dueAt.getTime() / 1000) + graceSeconds;
