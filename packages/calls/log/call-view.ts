import { type Call, type CallOutcome, CallResult, type ListedCall } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";
import { contentExpiredAt, hasEnded } from "../events/call-row.ts";
import { secondsBetween } from "../events/sanitize.ts";
import { intentOf } from "../events/call-results.ts";
import { isAbandoned, isResolved, type OutcomeFacts } from "../events/outcome.ts";

/** What tells whether a call needs follow-up. */
export type JudgedCall = OutcomeFacts & Pick<CallRow, "rank" | "endSeenAt" | "followUp" | "isTest">;

/** The platform reported an end, or the call was presumed over after hours without events. */
export const isOver = ({ rank, endSeenAt }: Pick<CallRow, "rank" | "endSeenAt">): boolean => hasEnded(rank) || endSeenAt !== undefined;

/** Undefined while the call is in progress. */
export const outcomeOf = (row: CallRow): CallOutcome | undefined => {
  if (!isOver(row)) return undefined;
  if (row.forwarded) return "transferred";
  return isResolved(row) ? "resolved" : "unresolved";
};

/** Known at the call's end; a call in progress may still be put through. */
export const wasAbandoned = (row: CallRow): boolean => isOver(row) && isAbandoned(row);

/**
 * The call ended other than `completed`, was abandoned, or the platform rates it unsuccessful, and staff have not followed it up yet.
 */
export const needsFollowUp = (row: JudgedCall): boolean =>
  isOver(row) && !row.isTest && row.followUp === undefined && (row.status !== "completed" || row.success === false || isAbandoned(row));

/** The start that the platform reported, else the time of the first event. */
export const startOf = ({ platformStartedAt, startedAt }: Pick<CallRow, "platformStartedAt" | "startedAt">): string =>
  platformStartedAt ?? startedAt;

/** Seconds; computed when the platform reported start and end in separate events and no duration. */
export const durationOf = ({ durationSeconds, platformStartedAt, endedAt }: CallRow): number | undefined =>
  durationSeconds ?? secondsBetween(platformStartedAt, endedAt);

const toCall = (row: CallRow): Call => ({
  id: row.callKey,
  platform: row.platform,
  createdAt: startOf(row),
  duration: durationOf(row) ?? null,
  status: row.status,
  toolsUsed: [...(row.toolsUsed ?? [])].toSorted(),
  resolved: isResolved(row),
  forwarded: row.forwarded,
  abandoned: wasAbandoned(row),
  outcome: row.outcome ?? null,
  endedReason: row.endedReason ?? null,
  ...(row.isTest ? { isTest: true } : {}),
});

/** `now` decides whether the number's last digits are still shown. */
export const toListedCall = (row: CallRow, now: Date): ListedCall => ({
  ...toCall(row),
  intent: intentOf(row) ?? null,
  numberEnding: (contentExpiredAt(row, now) === undefined ? row.numberEnding : undefined) ?? null,
  agentName: row.agentName ?? null,
  results: CallResult.options.filter((result) => row.results?.has(result)),
  officeId: row.officeId ?? null,
  agentId: row.agentId ?? null,
  direction: row.direction ?? null,
  success: row.success ?? null,
  needsFollowUp: needsFollowUp(row),
  ...(row.toolFailed ? { toolFailed: true } : {}),
  version: row.version ?? 1,
});
