import type { CallEvent } from "@vitaline/calls";
import type { FlatCallSummary } from "@vitaline/contract";
import { isForwardedBy, statusOfReason } from "./ended-reason.ts";

/** The end of a call as another automation tells it, without Vapi's envelope; `resolved` is its word on success. */
export const decodeFlatSummary = ({ callId, summary, outcome, resolved, durationSeconds, endedReason }: FlatCallSummary): CallEvent => ({
  platform: "vapi",
  callId,
  status: statusOfReason(endedReason ?? undefined),
  ...(isForwardedBy(endedReason ?? undefined) ? { forwarded: true } : {}),
  endedReason: endedReason ?? undefined,
  durationSeconds: durationSeconds ?? undefined,
  success: resolved ?? undefined,
  summary,
  outcome: outcome ?? undefined,
});
