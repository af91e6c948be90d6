import { createHmac, randomUUID } from "node:crypto";
import type { GetConversationResponseModel } from "@elevenlabs/elevenlabs-js/serialization/types/GetConversationResponseModel";
import { accountOf, type Ending, type Connection, type PhoneCall } from "../phone-call.ts";
import { byKey, openWire } from "./request.ts";
import { spokenLines, type SpokenLines } from "../spoken-lines.ts";
import { dialedNumber, parseToolReply } from "./tool-reply.ts";

type Conversation = GetConversationResponseModel.Raw;
type Turn = Conversation["transcript"][number];
type ToolUse = { tool: string; args: object; result: unknown; seconds: number };

/** `t=<seconds>,v0=<hex of HMAC-SHA256>`. Source: elevenlabs-js 2.73.0 webhooks.constructEvent. */
const signatureOf = (body: object, secret: string): string => {
  const seconds = Math.floor(Date.now() / 1000);
  return `t=${seconds},v0=${createHmac("sha256", secret)
    .update(`${seconds}.${JSON.stringify(body)}`)
    .digest("hex")}`;
};

/**
 * Like ElevenLabs: asks for the conversation's data first, sends tools as webhooks with arguments and configured headers, and reports
 * once, signed, at the end; then the conversation is in its list too. Source: elevenlabs-js 2.73.0, ElevenLabs' pages on Twilio and on
 * post-call webhooks.
 */
export function openElevenLabsCall(connection: Connection): PhoneCall {
  const { origin, apiKey, caller, called, post } = connection;
  const { webhookUrl, webhookSecret, baseUrl, sandboxKey, agentId = "agent_of_the_number" } = accountOf(connection, "elevenlabs");
  const wire = openWire(origin, post);
  const spoken = spokenLines();
  const uses: ToolUse[] = [];
  const { callId = `conv_${randomUUID().replaceAll("-", "")}` } = connection;
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const startSeconds = Math.floor(Date.now() / 1000);
  const key = byKey(apiKey);
  let destination: string | undefined;

  const conversation = ({ summary, success, by }: Ending): Conversation => ({
    agent_id: agentId,
    agent_name: "Reception",
    conversation_id: callId,
    status: by === "error" ? "failed" : "done",
    user_id: null,
    has_audio: true,
    has_user_audio: true,
    has_response_audio: true,
    has_auxiliary_audio: false,
    transcript: transcriptOf(spoken, uses),
    metadata: {
      start_time_unix_secs: startSeconds,
      accepted_time_unix_secs: startSeconds,
      call_duration_secs: Math.round(spoken.seconds()),
      cost: 400,
      cost_fiat: 0.12,
      phone_call: {
        type: "twilio",
        direction: "inbound",
        phone_number_id: "phnum_1",
        agent_number: called,
        external_number: caller,
        call_result: "answered",
        stream_sid: `MZ${callSid.slice(2)}`,
        call_sid: callSid,
      },
      termination_reason: reasonOf(destination, by),
      main_language: "en",
      features_usage: { transfer_to_number: { enabled: true, used: destination !== undefined } },
    },
    analysis: { call_successful: success ? "success" : "failure", transcript_summary: summary, call_summary_title: "A call" },
    conversation_initiation_client_data: { dynamic_variables: { system__caller_id: caller, system__called_number: called } },
  });

  return {
    callId,
    exchanges: wire.exchanges,
    async ring() {
      const body = { caller_id: caller, agent_id: agentId, called_number: called, call_sid: callSid };
      await wire.tell({ path: "/api/elevenlabs/conversation-initiation", headers: key, body });
    },
    // ElevenLabs sends nothing before the end of a conversation
    async pickUp() {},
    say: spoken.say,
    async useTool(name, args) {
      const headers = { ...key, "X-Conversation-Id": callId, "X-Caller-Id": caller, "X-Agent-Id": agentId, "X-Called-Number": called };
      const { answer, ms } = await wire.tell({ path: `/api/elevenlabs/tool/${name}`, headers, body: args });
      uses.push({ tool: name, args, result: answer, seconds: spoken.seconds() });
      spoken.pass(ms);
      return parseToolReply(answer, ms);
    },
    async transfer() {
      const number = dialedNumber(uses.findLast(({ tool }) => tool === "logRoutingEvent")?.result);
      destination = number;
      const result = { result_type: "transfer_to_number_sip_success", status: "success", transfer_number: number };
      uses.push({ tool: "transfer_to_number", args: { transfer_number: number }, result, seconds: spoken.seconds() });
    },
    async hangUp(ending) {
      const data = conversation(ending);
      if (baseUrl !== undefined && sandboxKey !== undefined) await leaveAt(baseUrl, sandboxKey, data);
      const body = { type: "post_call_transcription", event_timestamp: Math.floor(Date.now() / 1000), data };
      const { pathname } = new URL(webhookUrl);
      await wire.tell({ path: pathname, headers: { "ElevenLabs-Signature": signatureOf(body, webhookSecret) }, body });
      return reasonOf(destination, ending.by);
    },
  };
}

const reasons = { caller: "Client disconnected: 1000", silence: "Inactivity timeout", error: "LLM generation failed" };
const reasonOf = (destination: string | undefined, by: Ending["by"]): string =>
  destination !== undefined ? "Call transferred to a number" : reasons[by ?? "caller"];

/** Stores the conversation at the sandbox, which lists it for this account. */
const leaveAt = async (baseUrl: string, sandboxKey: string, conversation: Conversation): Promise<void> =>
  void (await fetch(new URL("/conversations", baseUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${sandboxKey}` },
    body: JSON.stringify(conversation),
  }));

const transcriptOf = ({ lines }: SpokenLines, uses: ToolUse[]): Turn[] =>
  [
    ...lines.map(({ who, text, from }) => ({
      role: who === "patient" ? ("user" as const) : ("agent" as const),
      message: text,
      time_in_call_secs: Math.floor(from),
      interrupted: false,
      ...(who === "assistant" ? { conversation_turn_metrics: { metrics: { convai_ttf_audio_since_silence: { elapsed_time: 0.8 } } } } : {}),
    })),
    ...uses.map((use, at) => turnOf(use, `tool_${at}`)),
  ].toSorted((a, b) => a.time_in_call_secs - b.time_in_call_secs);

const turnOf = ({ tool, args, result, seconds }: ToolUse, requestId: string): Turn => ({
  role: "agent",
  message: null,
  time_in_call_secs: Math.floor(seconds),
  tool_calls: [
    { type: "webhook", request_id: requestId, tool_name: tool, params_as_json: JSON.stringify(args), tool_has_been_called: true },
  ],
  tool_results: [
    {
      request_id: requestId,
      tool_name: tool,
      result_value: JSON.stringify(result),
      is_error: false,
      tool_has_been_called: true,
      tool_latency_secs: 0.1,
      type: "webhook",
    },
  ],
});
