import type { CallStatus } from "@vitaline/contract";
import type { ParsedCallEvent } from "./call-event.ts";

/** Progress of a call. A row's rank never decreases, so late or repeated events cannot set a call back. */
const rankOfStatus: Readonly<Record<CallStatus, number>> = {
  queued: 1,
  ringing: 2,
  in_progress: 3,
  completed: 4,
  no_answer: 4,
  failed: 4,
  cancelled: 4,
  unknown: 4,
};
const noStatusRank = 0;
/** No event has arrived for hours. Any reported end replaces it. */
export const presumedEndedRank = 3.5;
const endedRank = 4;
/** The platform's final report, with its evaluation or texts. */
const reportedRank = 5;

export const inProgressRank = rankOfStatus.in_progress;

export const hasEnded = (rank: number): boolean => rank >= endedRank;

export const hasReport = (rank: number): boolean => rank >= reportedRank;

type RankFields = Pick<ParsedCallEvent, "status" | "endedReason" | "success" | "summary" | "transcript">;

/** 0 for an event without a status, which only fills missing fields. */
export function rankOf({ status, endedReason, success, summary, transcript }: RankFields): number {
  if (status === undefined) return noStatusRank;
  // A report without an ended reason only assumes that the call completed.
  const isReport = endedReason !== undefined && (success !== undefined || summary !== undefined || transcript !== undefined);
  return hasEnded(rankOfStatus[status]) && isReport ? reportedRank : rankOfStatus[status];
}
