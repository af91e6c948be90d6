import type Retell from "retell-sdk";

type WebhookEvent = NonNullable<Retell.AgentResponse["webhook_events"]>[number];

export const startedCall: Retell.PhoneCallResponse = {
  call_id: "call-a",
  call_type: "phone_call",
  call_status: "ongoing",
  agent_id: "agent-1",
  agent_name: "Receptionist",
  agent_version: 3,
  direction: "inbound",
  from_number: "+14155550101",
  to_number: "+16175550100",
  start_timestamp: Date.UTC(2026, 2, 1, 10, 0, 5),
  metadata: { note: "metadata-words" },
  retell_llm_dynamic_variables: { note: "variable-words" },
};

const words = (start: number): Retell.PhoneCallResponse.Utterance["words"] => [{ word: "Hello.", start, end: start + 0.5 }];

/** As `call_ended` carries it, before the analysis. */
export const endedCall: Retell.PhoneCallResponse = {
  ...startedCall,
  call_status: "ended",
  disconnection_reason: "user_hangup",
  end_timestamp: Date.UTC(2026, 2, 1, 10, 3, 7, 400),
  duration_ms: 182_400,
  transcript: "Agent: Hello.\nUser: Hi.\n",
  transcript_object: [
    { role: "agent", content: "Hello.", words: words(0.4) },
    { role: "user", content: "Hi.", words: words(2.1) },
    { role: "transfer_target", content: "Front desk.", words: [] },
  ],
  transcript_with_tool_calls: [
    { role: "tool_call_invocation", tool_call_id: "t-1", name: "getPatientInfo", arguments: "{}" },
    { role: "tool_call_result", tool_call_id: "t-1", content: "tool-result-words", successful: true },
  ],
  scrubbed_transcript_with_tool_calls: [
    { role: "user", content: "I am [name].", words: words(1) },
    { role: "tool_call_result", tool_call_id: "t-1", content: "tool-result-words" },
  ],
  call_cost: { combined_cost: 31.45, total_duration_seconds: 183, total_duration_unit_price: 0.17, product_costs: [] },
  latency: { e2e: { p50: 812.4, p90: 1500, p95: 1730, p99: 1800, max: 1900, min: 500, num: 12 } },
  recording_url: "https://recordings.example/a.wav",
  recording_multi_channel_url: "https://recordings.example/b.wav",
  scrubbed_recording_url: "https://recordings.example/c.wav",
  scrubbed_recording_multi_channel_url: "https://recordings.example/d.wav",
  knowledge_base_retrieved_contents_url: "https://recordings.example/e.txt",
  public_log_url: "https://logs.example/a.txt",
};

export const analyzedCall: Retell.PhoneCallResponse = {
  ...endedCall,
  call_analysis: {
    call_summary: "The caller said hi.",
    call_successful: true,
    in_voicemail: false,
    user_sentiment: "Positive",
    custom_analysis_data: { reason_for_call: "refill", is_new_patient: false },
  },
};

const states: Record<WebhookEvent, Retell.PhoneCallResponse> = {
  call_started: startedCall,
  transcript_updated: startedCall,
  transfer_started: startedCall,
  transfer_bridged: startedCall,
  transfer_cancelled: startedCall,
  transfer_ended: endedCall,
  call_ended: endedCall,
  call_analyzed: analyzedCall,
};
/** Every event of Retell's own types, with its call. */
export const events = Object.entries(states) as [WebhookEvent, Retell.PhoneCallResponse][];
