import type { CallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { lenient, readCallId } from "../decoding/fields.ts";
import { Call } from "./webhook.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;
type Webhook = { call: Call; destination: string | undefined };

/** `transfer_destination` is a number or an object as in the agent's settings. */
const Body = z.object({
  event: z.string(),
  call: Call,
  transfer_destination: lenient(z.union([z.string(), z.object({ number: z.string() })])),
});

/**
 * undefined for unlisted events and without a call id; AppErrors as readCallId. `call_ended` comes before Retell's analysis, so
 * texts are taken from `call_analyzed`. Links to recordings and logs are left out: they open to anyone. Source: retell-sdk 5.66.1
 * PhoneCallResponse, Retell's pages on webhooks.
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

/** Only `call_ended` and `call_analyzed` report the end; other events may carry a stale call status. */
const inProgress = (): Progress => ({ status: "in_progress" });

const transferring = (): Progress => ({ status: "in_progress", transferTried: true });

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

/** The transcript without personal data is used if Retell keeps no other. */
const transcriptOf = ({ transcript: text, transcript_object, scrubbed_transcript_with_tool_calls }: Call): CallEvent["transcript"] => {
  const messages = (transcript_object ?? scrubbed_transcript_with_tool_calls ?? []).flatMap((turn) => {
    const role = speakers.get(turn?.role);
    return role && turn?.content ? [{ role, text: turn.content, atSeconds: turn.words?.[0]?.start }] : [];
  });
  return text === undefined && messages.length === 0 ? undefined : { text, messages };
};

const events = new Map<string, (webhook: Webhook) => Progress>([
  ["call_started", inProgress],
  ["transcript_updated", inProgress],
  ["transfer_started", transferring],
  ["transfer_bridged", bridged],
  ["transfer_cancelled", transferring],
  ["transfer_ended", inProgress],
  ["call_ended", ended],
  ["call_analyzed", analyzed],
]);

/** The first match decides. */
const byReason: readonly [RegExp, CallStatus][] = [
  // Without a free line Retell forwards the call to the number's fallback.
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

/** Uses `callStatus` without a reason; `unknown` for unlisted values. */
const statusOfEnd = (reason: string | undefined, callStatus: string | undefined): CallStatus =>
  (reason === undefined ? byStatus.get(callStatus) : byReason.find(([pattern]) => pattern.test(reason))?.[1]) ?? "unknown";

/** A canceled transfer does not count. */
const isForwardedBy = (reason = ""): boolean => /^(call_transfer|transfer_bridged|call_take_over|no_concurrency_fallback)$/.test(reason);
