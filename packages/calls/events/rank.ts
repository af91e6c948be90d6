import type { CallStatus } from "@vitaline/contract";
import type { ParsedCallEvent } from "./call-event.ts";

/** How far a call is. A row's rank never goes down, so late or repeated events cannot take a call back. */
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
const endedRank = 4;
/** Nothing was heard of it for hours: its end is presumed, and gives way to any word about it. */
export const forgottenRank = 3.5;
/** The platform's report with its evaluation or texts, which it makes once it knows all. Who does not know why the call ended only presumes that it went well. */
const reportedRank = 5;
const nothingSaidRank = 0;

export const underWayRank = rankOfStatus.in_progress;

type Said = Pick<ParsedCallEvent, "status" | "endedReason" | "success" | "summary" | "transcript">;

/** 0 when the event says nothing about how far the call is: then it only fills what is missing. */
export function rankOf({ status, endedReason, success, summary, transcript }: Said): number {
  if (status === undefined) return nothingSaidRank;
  const isReport = endedReason !== undefined && (success !== undefined || summary !== undefined || transcript !== undefined);
  return hasEnded(rankOfStatus[status]) && isReport ? reportedRank : rankOfStatus[status];
}

export const hasEnded = (rank: number): boolean => rank >= endedRank;
