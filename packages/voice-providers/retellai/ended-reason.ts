import type { CallStatus } from "@vitaline/contract";

/** The first pattern that fits decides. */
const byReason: readonly [RegExp, CallStatus][] = [
  // Where no line was free, Retell put the call through to the number's own fallback.
  [/^no_concurrency_fallback$/, "completed"],
  [/^(dial_no_answer|dial_busy|user_declined|voicemail_reached|ivr_reached|machine_detected)$/, "no_answer"],
  [
    /^(error|telephony_provider)_|concurrency|^(dial_failed|invalid_destination|sip_routing_error|no_valid_payment|scam_detected)$/,
    "failed",
  ],
  [/^(marked_as_spam|registered_call_timeout)$/, "failed"],
  [/_hangup$|^(inactivity|max_duration_reached|manual_stopped|call_take_over|call_transfer|transfer_(bridged|cancelled))$/, "completed"],
];
const byStatus = new Map<string | undefined, CallStatus>([
  [undefined, "completed"],
  ["registered", "completed"],
  ["ongoing", "completed"],
  ["ended", "completed"],
  ["not_connected", "no_answer"],
  ["error", "failed"],
]);

/**
 * What came of a call that ended for this reason, or, where none is given, with this status; words that Retell added since are `unknown`.
 */
export const statusOfEnd = (reason: string | undefined, callStatus: string | undefined): CallStatus =>
  (reason === undefined ? byStatus.get(callStatus) : byReason.find(([pattern]) => pattern.test(reason))?.[1]) ?? "unknown";

/** Whether a call with this reason left for a person or another number; a cancelled transfer was only tried. */
export const isForwardedBy = (reason = ""): boolean =>
  /^(call_transfer|transfer_bridged|call_take_over|no_concurrency_fallback)$/.test(reason);
