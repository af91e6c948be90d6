import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import {
  amount,
  flag,
  id,
  isEqual,
  list,
  object,
  readCallId,
  score,
  seconds,
  text,
  unixInstant,
  unknown,
  enumWord,
} from "../decoding/fields.ts";
import type { SignedRequest } from "../voice-platform.ts";

const elapsed = object({ elapsed_time: seconds });
/** Older conversations carry these without the `metrics` level. */
const timings = {
  convai_ttf_audio_since_silence: elapsed,
  convai_llm_service_ttf_sentence: elapsed,
  convai_tts_service_ttfb: elapsed,
};
const toolResult = object({
  tool_name: text,
  is_error: flag,
  tool_has_been_called: flag,
  result_value: text,
  result: object({ result_type: enumWord, transfer_number: id }),
});
const turn = object({
  role: enumWord,
  message: text,
  multivoice_message: object({ parts: list(object({ text })) }),
  time_in_call_secs: seconds,
  tool_results: list(toolResult),
  conversation_turn_metrics: object({ metrics: object(timings), ...timings }),
});
/** The first three fields come from Twilio, the others from a SIP trunk. */
const failedLeg = object({ Direction: enumWord, From: id, To: id, direction: enumWord, from_number: id, to_number: id });

/**
 * The fields read from a conversation; dynamic variables, recordings and `cost` (credits) are left out on purpose. `cost_fiat` is
 * in US dollars, the sum of the two prices in `charging`; conversations without it may still have these. Webhooks carry in `data` what GET /v1/convai/conversations/{id} returns. Source: elevenlabs-js 2.73.0
 * GetConversationResponseModel, and webhooks seen live.
 */
const Conversation = z.object({
  conversation_id: unknown,
  agent_id: id,
  agent_name: text,
  status: enumWord,
  transcript: list(turn),
  metadata: object({
    start_time_unix_secs: unixInstant,
    call_duration_secs: seconds,
    cost_fiat: amount,
    charging: object({ llm_price: amount, platform_price: amount }),
    termination_reason: text,
    main_language: enumWord,
    feedback: object({ rating: score }),
    error: object({ code: unknown }),
    phone_call: object({ direction: enumWord, agent_number: id, external_number: id, call_result: enumWord }),
    features_usage: object({ transfer_to_number: object({ used: flag }) }),
    body: failedLeg,
  }),
  analysis: object({
    call_successful: enumWord,
    transcript_summary: text,
    data_collection_results: unknown,
    evaluation_criteria_results: unknown,
  }),
  failure_reason: enumWord,
});
export type Conversation = z.infer<typeof Conversation>;
export type Turn = NonNullable<Conversation["transcript"]>[number];

const Webhook = z.object({ type: z.string(), event_timestamp: unixInstant, data: Conversation });

/** `type` is the webhook's, or "conversation" for an API answer. */
export type ConversationMessage = { type: string; at?: string | undefined; conversation: Conversation };

export function readConversation(body: unknown): ConversationMessage | undefined {
  const webhook = z.safeParse(Webhook, body).data;
  if (webhook) return { type: webhook.type, at: webhook.event_timestamp, conversation: webhook.data };
  const conversation = z.safeParse(Conversation, body).data;
  return conversation?.metadata && conversation.status ? { type: "conversation", conversation } : undefined;
}

export const conversationId = ({ type, conversation }: ConversationMessage): string | undefined =>
  readCallId(type === "conversation" ? "conversation_id" : "data.conversation_id", conversation.conversation_id);

const maxAgeSeconds = 30 * 60;
/** The platform's clock may be ahead of ours. */
const maxAheadSeconds = 5 * 60;
const maxSignatures = 8;

/**
 * Checks `ElevenLabs-Signature: t=<seconds since 1970>,v0=<hex>`, where v0 is an HMAC-SHA256 of `<t>.<body>`; there are several
 * while a secret is rotated. Source: elevenlabs-js 2.73.0 webhooks.constructEvent, which accepts timestamps in the future without
 * limit.
 */
export function hasValidSignature({ header, rawBody, secret, now }: SignedRequest): boolean {
  const parts = (header("elevenlabs-signature") ?? "").split(",").map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith("t="));
  const signatures = parts.filter((part) => part.startsWith("v0=")).map((part) => part.slice("v0=".length));
  const time = times[0]?.slice("t=".length) ?? "";
  if (secret === "" || times.length !== 1 || signatures.length > maxSignatures || !/^\d{1,12}$/.test(time)) return false;
  const ageSeconds = now.getTime() / 1000 - Number(time);
  if (ageSeconds > maxAgeSeconds || ageSeconds < -maxAheadSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest();
  return signatures.some((signature) => isEqual(expected, decodeSignature(signature)));
}

/** Empty if it is not hex of this length. */
const decodeSignature = (signature: string): Buffer => Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : "", "hex");
