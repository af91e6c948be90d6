import type { CallEvent } from "@vitaline/calls";
import * as z from "zod/mini";
import type { CallStatus } from "@vitaline/contract";
import { lenient, readCallId } from "../decoding/fields.ts";
import { Call } from "./webhook.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;
type Webhook = { call: Call; destination: string | undefined };

/** A transfer's destination comes as the number alone, or as the agent's settings have it. */
const Body = z.object({
  event: z.string(),
  call: Call,
  transfer_destination: lenient(z.union([z.string(), z.object({ number: z.string() })])),
});

/**
 * What a webhook of Retell's says about how its call goes. undefined for events that are not listed here and where no call is
 * named; AppError `invalid_request` where it is named by what cannot be an id. `call_ended` comes before Retell has looked
 * into the call and carries a passing state of it: its texts are taken from `call_analyzed`, which has them all. Links to
 * recordings and logs are left out: they open them to anyone. Source: retell-sdk 5.66.1 PhoneCallResponse, Retell's pages on
 * webhooks.
 */
export function decodeCallEvent(body: unknown): CallEvent | undefined {
  const { event, call, transfer_destination } = z.safeParse(Body, body).data ?? {};
  const progressOf = event === undefined ? undefined : events.get(event);
  const callId = progressOf && readCallId("call.call_id", call?.call_id);
  if (!call || !progressOf || callId === undefined) return undefined;
  const destination = typeof transfer_destination === "string" ? transfer_destination : transfer_destination?.number;
  return { platform: "retellai", callId, ...aboutCall(call), ...progressOf({ call, destination }) };
}

const aboutCall = (call: Call): Progress => ({
  agentId: call.agent_id,
  agentName: call.agent_name,
  direction: directions.get(call.call_type === "web_call" ? call.call_type : call.direction),
  startedAt: call.start_timestamp,
  callerNumber: call.from_number,
  calledNumber: call.to_number,
});

const directions = new Map<string | undefined, CallEvent["direction"]>([
  ["inbound", "inbound"],
  ["web_call", "inbound"],
  ["outbound", "outbound"],
]);

/** Whether it has ended is told by the two events of its end alone: others carry the call's state of another moment. */
const underWay = (): Progress => ({ status: "in_progress" });

const bridged = ({ call, destination = call.transfer_destination }: Webhook): Progress => ({
  status: "in_progress",
  forwarded: true,
  forwardedTo: destination,
});

const ended = ({ call }: Webhook): Progress => {
  const { disconnection_reason, call_status, duration_ms, call_cost, latency } = call;
  const forwarded = isForwardedBy(disconnection_reason);
  const cents = call_cost?.combined_cost;
  return {
    status: statusOfEnd(disconnection_reason, call_status),
    endedReason: disconnection_reason,
    endedAt: call.end_timestamp,
    durationSeconds: duration_ms === undefined ? call_cost?.total_duration_seconds : duration_ms / 1000,
    latencyP50Ms: latency?.e2e?.p50,
    latencyP95Ms: latency?.e2e?.p95,
    ...(forwarded ? { forwarded, forwardedTo: call.transfer_destination } : {}),
    ...(cents === undefined ? {} : { costAmount: cents / 100, costCurrency: "USD" }),
  };
};

const analyzed = (webhook: Webhook): Progress => {
  const facts = ended(webhook);
  const { call_analysis } = webhook.call;
  const { status, forwarded } = facts;
  return {
    ...facts,
    status: status === "completed" && !forwarded && call_analysis?.in_voicemail ? "no_answer" : status,
    success: call_analysis?.call_successful,
    sentiment: call_analysis?.user_sentiment,
    summary: call_analysis?.call_summary,
    analysis: call_analysis?.custom_analysis_data,
    transcript: transcriptOf(webhook.call),
  };
};

const speakers = new Map<string | undefined, "caller" | "assistant" | "staff">([
  ["user", "caller"],
  ["agent", "assistant"],
  ["transfer_target", "staff"],
]);

/** What was said aloud; where the tenant lets Retell keep it without personal data alone, that. */
const transcriptOf = ({ transcript: text, transcript_object, scrubbed_transcript_with_tool_calls }: Call): CallEvent["transcript"] => {
  const messages = (transcript_object ?? scrubbed_transcript_with_tool_calls ?? []).flatMap((turn) => {
    const role = speakers.get(turn?.role);
    return role && turn?.content ? [{ role, text: turn.content, atSeconds: turn.words?.[0]?.start }] : [];
  });
  return text === undefined && messages.length === 0 ? undefined : { text, messages };
};

const events = new Map<string, (webhook: Webhook) => Progress>([
  ["call_started", underWay],
  ["transcript_updated", underWay],
  ["transfer_started", underWay],
  ["transfer_bridged", bridged],
  ["transfer_cancelled", underWay],
  ["transfer_ended", underWay],
  ["call_ended", ended],
  ["call_analyzed", analyzed],
]);

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
const statusOfEnd = (reason: string | undefined, callStatus: string | undefined): CallStatus =>
  (reason === undefined ? byStatus.get(callStatus) : byReason.find(([pattern]) => pattern.test(reason))?.[1]) ?? "unknown";

/** Whether a call with this reason left for a person or another number; a cancelled transfer was only tried. */
const isForwardedBy = (reason = ""): boolean => /^(call_transfer|transfer_bridged|call_take_over|no_concurrency_fallback)$/.test(reason);
