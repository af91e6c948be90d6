import type { CallStatus } from "@vitaline/contract";

/** The first pattern that fits decides. Vapi knows about 600 reasons, most of them one provider's errors, so they go by form. */
const byReason: readonly [RegExp, CallStatus][] = [
  [/^(customer-did-not-answer|customer-busy|voicemail)$/, "no_answer"],
  [/^(manually-canceled|scheduled-call-deleted|call-deleted|call\.ringing\.sip-inbound-caller-hungup-before-call-connect)$/, "cancelled"],
  [
    /error|failed|rejected|disconnected|closed-websocket|shutdown|misdialed|did-not-give|bypass-enabled|^assistant-(not|join|request)-|^call\.forwarding\./,
    "failed",
  ],
  [/^(customer-ended-call|assistant-(ended-call|said-end-call-phrase|forwarded-call))/, "completed"],
  [/^(silence-timed-out|exceeded-max-duration)|-completed(-call)?$|\.hook-executed-/, "completed"],
];
const byForwarding = "assistant-request-returned-forwarding-phone-number";

/** What came of a call that ended for this reason; one that Vapi added since is `unknown`, none at all is an ordinary end. */
export function statusOfReason(endedReason: string | undefined): CallStatus {
  if (endedReason === undefined || endedReason === byForwarding) return "completed";
  return byReason.find(([pattern]) => pattern.test(endedReason))?.[1] ?? "unknown";
}

/** Whether a call with this reason left for a person or another number. */
export const isForwardedBy = (endedReason = ""): boolean =>
  endedReason === "assistant-forwarded-call" || endedReason === byForwarding || endedReason.endsWith(".hook-executed-transfer");
