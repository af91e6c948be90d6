import type { GetConversationResponseModel } from "@elevenlabs/elevenlabs-js/serialization/types/GetConversationResponseModel.js";

export type RawConversation = GetConversationResponseModel.Raw;

export const startedAt = "2026-11-20T10:00:05.000Z";
export const startSeconds = Date.parse(startedAt) / 1000;

/** A successful phone call with a tool call and a turn without text. */
export const told = (conversationId = "conv_a", more: Partial<RawConversation> = {}): RawConversation => ({
  agent_id: "agent_1",
  agent_name: "Front desk",
  conversation_id: conversationId,
  status: "done",
  user_id: "door-code-4711",
  has_audio: true,
  has_user_audio: true,
  has_response_audio: true,
  has_auxiliary_audio: false,
  transcript: [
    { role: "agent", message: "Hello.", time_in_call_secs: 0 },
    { role: "user", message: "Hi.", time_in_call_secs: 2 },
    {
      role: "agent",
      message: null,
      time_in_call_secs: 4,
      tool_calls: [
        {
          request_id: "r1",
          tool_name: "getPatientInfo",
          params_as_json: '{"door":"code-4711"}',
          tool_has_been_called: true,
          type: "webhook",
        },
      ],
      tool_results: [
        {
          request_id: "r1",
          tool_name: "getPatientInfo",
          result_value: "code-4711",
          is_error: false,
          tool_has_been_called: true,
          type: "webhook",
        },
      ],
    },
    {
      role: "agent",
      message: "You are booked.",
      time_in_call_secs: 6,
      conversation_turn_metrics: { metrics: { convai_ttf_audio_since_silence: { elapsed_time: 1.25 } } },
    },
  ],
  metadata: {
    start_time_unix_secs: startSeconds,
    call_duration_secs: 182,
    cost: 296,
    cost_fiat: 0.0925,
    termination_reason: "end_call tool was called.",
    phone_call: {
      type: "twilio",
      direction: "inbound",
      phone_number_id: "phnum_1",
      agent_number: "+16175550100",
      external_number: "+16175550142",
      stream_sid: "MZ1",
      call_sid: "CA1",
      call_result: "answered",
    },
  },
  analysis: {
    call_successful: "success",
    transcript_summary: "The caller booked.",
    data_collection_results: {
      "wants: recall": { data_collection_id: "wants: recall", value: true, rationale: "They said door-code-4711." },
      nothing: { data_collection_id: "nothing", value: null, rationale: "Not said." },
    },
  },
  conversation_initiation_client_data: { dynamic_variables: { secret__door: "code-4711" } },
  ...more,
});

export const webhook = (data: unknown, type = "post_call_transcription") => ({ type, event_timestamp: startSeconds + 200, data });
