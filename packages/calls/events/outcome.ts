import type { CallRow } from "@vitaline/store";

/** What a call's outcome follows from; kept when the call's content is erased, so that totals do not change. */
export type OutcomeFacts = Pick<
  CallRow,
  "status" | "forwarded" | "success" | "statedResolved" | "helped" | "soughtStaff" | "cutShort" | "hasSignals"
>;

/** Ends of a conversation before the caller was done, in the terms of Vapi, Retell AI and ElevenLabs. */
const cutShortReasons: readonly RegExp[] = [
  /^(silence-timed-out|exceeded-max-duration|call\.forwarding\..+)$/,
  /^customer-ended-call-(during-transfer|before-warm-transfer|after-warm-transfer-attempt)$/,
  /^(inactivity|max_duration_reached|transfer_cancelled|manual_stopped)$/,
  /^(inactivity|silence) timeout|exceeded maximum duration|exceeds your quota limit/i,
];

export const isCutShort = (endedReason: string): boolean => cutShortReasons.some((reason) => reason.test(endedReason));

/** These runs alone help no caller; a call that the agent logs as resolved was helped. */
const preparingTools: ReadonlySet<string> = new Set(["verifyPatientIdentity", "logRoutingEvent"]);

type Run = { tool: string; success: boolean; outcome?: string | undefined };

/** What a tool's run tells about the call's outcome; `outcome` is that of a logged routing. */
export const outcomeSignalsOf = ({ tool, success, outcome }: Run): { helped: boolean; soughtStaff: boolean } => ({
  helped: success && (!preparingTools.has(tool) || outcome === "resolved"),
  soughtStaff: success && (outcome === "transferred" || outcome === "callback" || outcome === "voicemail"),
});

/** An emergency is not a failure: the tool did not run. */
export const isFailedRun = ({ success, code }: { success: boolean; code?: string | undefined }): boolean =>
  !success && code !== "emergency";

/** The caller gave up or was cut off, or asked for a person and reached none. */
export const isAbandoned = ({ hasSignals, statedResolved, cutShort, soughtStaff, forwarded }: OutcomeFacts): boolean =>
  hasSignals === true && !statedResolved && (cutShort === true || (soughtStaff === true && !forwarded));

/** A call without evidence is judged as it was counted: completed, and not marked unsuccessful. */
export const isResolved = (call: OutcomeFacts): boolean => {
  const { status, forwarded, success, statedResolved, helped, hasSignals } = call;
  if (status !== "completed" || forwarded || success === false) return false;
  if (!hasSignals || statedResolved) return true;
  return !isAbandoned(call) && (success === true || helped === true);
};
