import * as z from "zod/mini";
import { readCallId } from "../call-id.ts";
import { amount, flag, id, list, object, seconds, text, unixInstant, unknown, word } from "../fields.ts";

const elapsed = object({ elapsed_time: seconds });
/** Of one turn; older conversations carry them without the layer `metrics`. */
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
  result: object({ result_type: word, transfer_number: id }),
});
const turn = object({
  role: word,
  message: text,
  multivoice_message: object({ parts: list(object({ text })) }),
  time_in_call_secs: seconds,
  tool_results: list(toolResult),
  conversation_turn_metrics: object({ metrics: object(timings), ...timings }),
});
/** Who called whom, as Twilio and as a SIP trunk say it of a call that did not come about. */
const failedLeg = object({ Direction: word, From: id, To: id, direction: word, from_number: id, to_number: id });

/**
 * All that is read of a conversation; every other field ends here, among them what the caller was asked in, recordings, the
 * platform's own secrets, and `cost`: those are credits, which are no money. `cost_fiat` is US dollars. Post-call webhooks carry in
 * `data` what GET /v1/convai/conversations/{id} answers.
 * Source: elevenlabs-js 2.73.0 GetConversationResponseModel, and webhooks seen live.
 */
const Conversation = z.object({
  conversation_id: unknown,
  agent_id: id,
  agent_name: text,
  status: word,
  transcript: list(turn),
  metadata: object({
    start_time_unix_secs: unixInstant,
    call_duration_secs: seconds,
    cost_fiat: amount,
    termination_reason: text,
    error: object({ code: unknown }),
    phone_call: object({ direction: word, agent_number: id, external_number: id, call_result: word }),
    features_usage: object({ transfer_to_number: object({ used: flag }) }),
    body: failedLeg,
  }),
  analysis: object({ call_successful: word, transcript_summary: text, data_collection_results: unknown }),
  failure_reason: word,
});
export type Conversation = z.infer<typeof Conversation>;
export type Turn = NonNullable<Conversation["transcript"]>[number];

const Webhook = z.object({ type: z.string(), event_timestamp: unixInstant, data: Conversation });

/** What the body tells, and of which conversation: a webhook's `type`, or "conversation" for the API's own answer. */
export type Reading = { type: string; at?: string | undefined; conversation: Conversation };

/** undefined: nothing that ElevenLabs says of a conversation. */
export function readConversation(body: unknown): Reading | undefined {
  const webhook = z.safeParse(Webhook, body).data;
  if (webhook) return { type: webhook.type, at: webhook.event_timestamp, conversation: webhook.data };
  const conversation = z.safeParse(Conversation, body).data;
  return conversation?.metadata && conversation.status ? { type: "conversation", conversation } : undefined;
}

/** The conversation's own id; undefined and AppError as readCallId has them. */
export const conversationId = ({ type, conversation }: Reading): string | undefined =>
  readCallId(type === "conversation" ? "conversation_id" : "data.conversation_id", conversation.conversation_id);
