import { digest } from "@vitaline/core";
import { type Audit, keys, type OutgoingRow } from "@vitaline/store";
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

/** What came of looking at something that was due: it is over, or it is for later; with what the audit is to say of it, if anything. */
export type Attended =
  | { over: true; audit?: Audit }
  | ({ later: Date; audit?: Audit } & Pick<OutgoingRow, "tries"> & Pick<Extract<OutgoingRow, { kind: "reminder" }>, "planned" | "sent">);

const shards = ["0", "1", "2", "3"] as const;
/** What is due lies in four partitions, so that many writers do not meet in one. */
export const outgoingShards: readonly string[] = shards;
export const outgoingKey = ({ kind, id, dueAt }: Pick<OutgoingRow, "kind" | "id" | "dueAt">) =>
  keys.outgoing(shards[Number.parseInt(digest("outgoing", id).slice(0, 2), 16) % shards.length] ?? "0", dueAt, kind, id);

const minuteMs = 60_000;
const longestWaitMs = 30 * minuteMs;
/** Twice the wait of the time before, from two minutes on, half an hour at most. */
export const waitMs = (tries: number): number => Math.min(2 ** tries * minuteMs, longestWaitMs);

/** A row outlives its time by this, for the case that it cannot be seen to at once. */
const graceSeconds = 3 * 86_400;
export const expiryOf = (dueAt: Date): number => Math.floor(dueAt.getTime() / 1000) + graceSeconds;
