import type { Audit, OutgoingRow } from "@vitaline/store";

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
