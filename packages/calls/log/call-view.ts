import type { Call, CallOutcome, ListedCall } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";
import { hasEnded } from "../events/rank.ts";
import { secondsBetween } from "../events/sanitize.ts";
import { isResolved } from "../metrics/counts.ts";

/** The platform reported an end, or the call was presumed over after hours without events. */
const isOver = ({ rank, countedAt }: CallRow): boolean => hasEnded(rank) || countedAt !== undefined;

/** Undefined while the call is in progress. */
export const outcomeOf = (row: CallRow): CallOutcome | undefined => {
  if (!isOver(row)) return undefined;
  if (row.forwarded) return "transferred";
  return isResolved(row) ? "resolved" : "unresolved";
};

/** The call ended other than `completed`, or the platform rates it unsuccessful, and staff have not followed it up yet. */
export const needsFollowUp = (row: CallRow): boolean =>
  isOver(row) && row.followUp === undefined && (row.status !== "completed" || row.success === false);

/** The start that the platform reported, else the time of the first event. */
export const startOf = ({ platformStartedAt, startedAt }: Pick<CallRow, "platformStartedAt" | "startedAt">): string =>
  platformStartedAt ?? startedAt;

/** Seconds; computed when the platform reported start and end in separate events and no duration. */
export const durationOf = ({ durationSeconds, platformStartedAt, endedAt }: CallRow): number | undefined =>
  durationSeconds ?? secondsBetween(platformStartedAt, endedAt);

export const toCall = (row: CallRow): Call => ({
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

export const toListedCall = (row: CallRow): ListedCall => ({
  ...toCall(row),
  officeId: row.officeId ?? null,
  agentId: row.agentId ?? null,
  direction: row.direction ?? null,
  success: row.success ?? null,
  needsFollowUp: needsFollowUp(row),
  version: row.version ?? 1,
});
