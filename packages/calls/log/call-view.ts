import type { Call, CallOutcome, ListedCall } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";
import { secondsBetween } from "../events/sanitize.ts";
import { isResolved } from "../metrics/counts.ts";
import { hasEnded } from "../events/rank.ts";

/** Ended, by somebody's word or by ours after hours of silence. */
const isOver = ({ rank, countedAt }: CallRow): boolean => hasEnded(rank) || countedAt !== undefined;

/** undefined while the call is going on, or nobody has said that it is over. */
export const outcomeOf = (row: CallRow): CallOutcome | undefined => {
  if (!isOver(row)) return undefined;
  if (row.forwarded) return "transferred";
  return isResolved(row) ? "resolved" : "unresolved";
};

/**
 * Somebody should look after this caller: the call is over and did not end `completed` (nobody answered, it failed, it was
 * cancelled, its end is unknown; a transfer that reached nobody ends as failed or unanswered), or the platform's own evaluation
 * calls it unsuccessful; and nobody has followed it up yet.
 */
export const needsFollowUp = (row: CallRow): boolean =>
  isOver(row) && row.followUp === undefined && (row.status !== "completed" || row.success === false);

/** When the call began: by the platform's own word where there is one, else by the first word of it. */
export const startOf = ({ platformStartedAt, startedAt }: Pick<CallRow, "platformStartedAt" | "startedAt">): string =>
  platformStartedAt ?? startedAt;

/** Seconds; where the platform told only when it began and when it ended, in two events, from the one to the other. */
export const durationOf = ({ durationSeconds, platformStartedAt, endedAt }: CallRow): number | undefined =>
  durationSeconds ?? secondsBetween(platformStartedAt, endedAt);

export const asCall = (row: CallRow): Call => ({
  id: row.callKey,
  platform: row.platform,
  createdAt: startOf(row),
  duration: durationOf(row) ?? null,
  status: row.status,
  toolsUsed: [...(row.toolsUsed ?? [])].toSorted(),
  resolved: isResolved(row),
  forwarded: row.forwarded,
  outcome: row.outcome ?? null,
  endedReason: row.endedReason ?? null,
});

export const asListedCall = (row: CallRow): ListedCall => ({
  ...asCall(row),
  officeId: row.officeId ?? null,
  agentId: row.agentId ?? null,
  direction: row.direction ?? null,
  success: row.success ?? null,
  needsFollowUp: needsFollowUp(row),
  version: row.version ?? 1,
});
