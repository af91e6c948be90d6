import { ElevenLabs } from "@elevenlabs/elevenlabs-js";
import { CallEvent } from "@vitaline/calls";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { elevenLabs } from "./adapter.ts";
import { startedAt, startSeconds, told, webhook, type RawConversation } from "./conversation.fixture.ts";

const decode = elevenLabs.decodeCallEvent;
const decoded = (more: Partial<RawConversation> = {}) => decode(webhook(told("conv_a", more)));
const { metadata } = told();
const withMetadata = (more: Partial<RawConversation["metadata"]>) => decoded({ metadata: { ...metadata, ...more } });
const reported = {
  platform: "elevenlabs",
  callId: "conv_a",
  agentId: "agent_1",
  agentName: "Front desk",
  direction: "inbound",
  callerNumber: "+16175550142",
  calledNumber: "+16175550100",
  status: "completed",
  startedAt,
  endedAt: "2026-11-20T10:03:07.000Z",
  durationSeconds: 182,
  endedReason: "end_call tool was called.",
  success: true,
  summary: "The caller booked.",
  analysis: { "wants: recall": true },
  costAmount: 0.0925,
  costCurrency: "USD",
  latencyP50Ms: 1250,
  latencyP95Ms: 1250,
  transcript: {
    messages: [
      { role: "assistant", text: "Hello.", atSeconds: 0 },
      { role: "caller", text: "Hi.", atSeconds: 2 },
      { role: "assistant", text: "You are booked.", atSeconds: 6 },
    ],
  },
};

describe("ElevenLabs' report of a conversation", () => {
  it("is the same from the webhook and the API, without secrets and tool traffic", () => {
    expect(decoded()).toEqual(reported);
    expect(decode(told())).toEqual(reported);
    expect(JSON.stringify(decoded())).not.toContain("door-code");
  });

  it.each<[ElevenLabs.GetConversationResponseModelStatus, string, boolean]>([
    ["initiated", "ringing", false],
    ["in-progress", "in_progress", false],
    ["processing", "completed", false],
    ["done", "completed", true],
    ["failed", "failed", true],
  ])("is its status: %s", (status, meant, isReport) => {
    const event = decoded({ status });
    expect(event).toMatchObject({ status: meant, startedAt });
    expect(Boolean(event?.endedReason && event.summary && event.success !== undefined)).toBe(isReport);
    expect(Boolean(event?.endedAt)).toBe(!["initiated", "in-progress"].includes(status));
  });

  it("uses the telephone's result first: an unanswered call was not successful", () => {
    const result = (call_result: ElevenLabs.CallResult | null) =>
      withMetadata({ phone_call: { ...metadata.phone_call!, call_result } })?.status;
    expect(["answered", "voicemail", "busy", "no_answer", "failed", null].map((each) => result(each as ElevenLabs.CallResult))).toEqual([
      ...["completed", "no_answer", "no_answer", "no_answer", "failed", "completed"],
    ]);
  });

  it("keeps an unknown ended reason, with the status unknown", () => {
    const status = "abandoned-by-moon" as ElevenLabs.GetConversationResponseModelStatus;
    expect(decoded({ status, metadata: { ...metadata, termination_reason: null } })).toMatchObject({
      status: "unknown",
      endedReason: "abandoned-by-moon",
    });
  });

  it("always has a reason for the end: the platform's own words, or other", () => {
    expect(withMetadata({ termination_reason: "" })?.endedReason).toBe("done");
    expect(withMetadata({ termination_reason: null, error: { code: 1008, reason: "Jane" } })?.endedReason).toBe("error-1008");
    expect(withMetadata({ termination_reason: "", phone_call: { ...metadata.phone_call!, call_result: "busy" } })?.endedReason).toBe(
      "busy",
    );
    expect(withMetadata({ termination_reason: null, error: { code: "Jane" as unknown as number } })?.endedReason).toBe("error");
    for (const [text, kept] of [
      ["end_call tool was called.", "end_call tool was called."],
      ["end_call tool was called: Jane Doe has said goodbye", "end_call tool was called"],
      ["Client disconnected: 1005", "Client disconnected"],
      ["Call ended by remote party", "Call ended by remote party"],
      ["Conversation exceeded maximum duration of 600 seconds", "exceeded maximum duration"],
    ] as const) {
      const event = withMetadata({ termination_reason: text });
      expect([text, event?.endedReason]).toEqual([text, kept]);
      expect(JSON.stringify(event?.analysis)).not.toContain("termination_reason");
    }
  });

  it('stores a free-text reason as "other", and the text sealed', () => {
    const { analysis, ...told } = withMetadata({ termination_reason: "Jane Doe, +1 (617) 555-0142, was not well" })!;
    expect(told.endedReason).toBe("other");
    expect(analysis).toMatchObject({ termination_reason: "Jane Doe, +1 (617) 555-0142, was not well", "wants: recall": true });
    expect(JSON.stringify({ ...told, transcript: undefined })).not.toMatch(/Jane|0142, was/);
    expect(withMetadata({ termination_reason: "x".repeat(100_000) })?.analysis).toMatchObject({ termination_reason: "x".repeat(2000) });
    expect(decoded({ status: "Jane hung up" as "done", metadata: { ...metadata, termination_reason: null } })?.endedReason).toBe("other");
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { endedReason } = withMetadata({ termination_reason: `${text}#` })!;
        expect(endedReason).toBe("other");
      }),
    );
  });

  it.each<[ElevenLabs.EvaluationSuccessResult, boolean | undefined]>([
    ["success", true],
    ["failure", false],
    ["unknown", undefined],
  ])("is whether it succeeded: %s", (call_successful, success) => {
    expect(decoded({ analysis: { call_successful, transcript_summary: "" } })).toMatchObject({ success });
    expect(decoded({ analysis: { call_successful, transcript_summary: "" } })?.summary).toBeUndefined();
  });

  it("is money only in dollars: credits are none", () => {
    expect(withMetadata({ cost: 296, cost_fiat: null })).not.toHaveProperty("costAmount");
    expect(withMetadata({ cost_fiat: 0 })).toMatchObject({ costAmount: 0, costCurrency: "USD" });
  });

  it.each<[NonNullable<RawConversation["metadata"]["charging"]>, number]>([
    [{ llm_price: 0.02, platform_price: 0.08 }, 0.1],
    [{ platform_price: 0.08, llm_charge: 12, call_charge: 284 }, 0.08],
    [{ llm_price: 0.02 }, 0.02],
  ])("V11: without cost_fiat the cost is the sum of the prices %o", (charging, costAmount) => {
    expect(withMetadata({ cost: 296, cost_fiat: null, charging })).toMatchObject({ costAmount, costCurrency: "USD" });
    expect(withMetadata({ cost_fiat: 0.0925, charging })).toMatchObject({ costAmount: 0.0925 });
    expect(withMetadata({ cost_fiat: null, charging: { llm_charge: 12 } })).not.toHaveProperty("costAmount");
  });

  it("V08: contains the criteria without their rationale, the caller's rating and the language", () => {
    const rationale = "They said door-code-4711.";
    const evaluation_criteria_results = {
      polite: { criteria_id: "polite", result: "success" as const, rationale, score: 4, max_score: 5 },
      booked: { criteria_id: "booked", result: "failure" as const, rationale },
      other: { criteria_id: "other", result: "unknown" as const, rationale },
    };
    const event = decoded({
      metadata: { ...metadata, main_language: "es", feedback: { rating: 2, comment: rationale } },
      analysis: { call_successful: "unknown", transcript_summary: "", evaluation_criteria_results },
    });
    expect(event).toMatchObject({
      scores: [
        { name: "polite", score: 4, maxScore: 5, passed: true },
        { name: "booked", score: null, maxScore: null, passed: false },
        { name: "other", score: null, maxScore: null, passed: null },
      ],
      rating: 2,
      language: "es",
    });
    expect(JSON.stringify(event)).not.toContain("door-code");
  });

  it("contains caller and called number in either direction, and no number without a telephone", () => {
    const call = { ...metadata.phone_call!, direction: "outbound" as const };
    expect(withMetadata({ phone_call: call })).toMatchObject({
      direction: "outbound",
      callerNumber: "+16175550100",
      calledNumber: "+16175550142",
    });
    const web = withMetadata({ phone_call: null });
    expect(web).toMatchObject({ direction: "inbound" });
    expect(web).not.toHaveProperty("callerNumber");
  });

  it("is how long callers waited for an answer, in the middle and at worst", () => {
    const turn = (elapsed_time: number) => ({
      role: "agent" as const,
      message: "Yes.",
      time_in_call_secs: 1,
      conversation_turn_metrics: { metrics: { convai_ttf_audio_since_silence: { elapsed_time } } },
    });
    const of = (transcript: RawConversation["transcript"]) => {
      const { latencyP50Ms, latencyP95Ms } = decoded({ transcript }) ?? {};
      return [latencyP50Ms, latencyP95Ms];
    };
    expect(of(Array.from({ length: 100 }, (_, index) => turn((index + 1) / 100)))).toEqual([500, 950]);
    expect(of([turn(0.7), turn(3)])).toEqual([700, 3000]);
    expect(of([{ role: "agent", message: "Yes.", time_in_call_secs: 1 }])).toEqual([undefined, undefined]);
    const parts = { convai_llm_service_ttf_sentence: { elapsed_time: 0.5 }, convai_tts_service_ttfb: { elapsed_time: 0.25 } };
    expect(of([{ ...turn(1), conversation_turn_metrics: { metrics: parts } }])).toEqual([750, 750]);
    // Older conversations lack the `metrics` level.
    expect(decode(webhook({ ...told(), transcript: [{ ...turn(1), conversation_turn_metrics: parts }] }))?.latencyP50Ms).toBe(750);
  });

  it("contains the text of multi-voice turns", () => {
    const parts = [{ text: "Once upon" }, { text: "a time." }];
    expect(decoded({ transcript: [{ role: "agent", multivoice_message: { parts }, time_in_call_secs: 1 }] })?.transcript).toEqual({
      messages: [{ role: "assistant", text: "Once upon a time.", atSeconds: 1 }],
    });
    expect(decoded({ transcript: [] })?.transcript).toBeUndefined();
  });
});

describe("a conversation that was put through", () => {
  type Results = NonNullable<RawConversation["transcript"][number]["tool_results"]>;
  const common = { request_id: "r", tool_name: "transfer_to_number", is_error: false, tool_has_been_called: true, type: "system" as const };
  const number = "+16175550123";
  const after = (...tool_results: Results) => {
    const { forwarded, forwardedTo } =
      decoded({ transcript: [{ role: "agent", message: "One moment.", time_in_call_secs: 1, tool_results }] }) ?? {};
    return { forwarded, forwardedTo };
  };

  it("is known by the result of the platform's own tool, over every kind of line", () => {
    const twilio = { agent_message: "A patient.", conference_name: "c" };
    const lines: Results = [
      {
        ...common,
        result_value: "",
        result: { result_type: "transfer_to_number_twilio_success" as const, transfer_number: number, ...twilio },
      },
      { ...common, result_value: "", result: { result_type: "transfer_to_number_sip_success" as const, transfer_number: number } },
      { ...common, result_value: "", result: { result_type: "transfer_to_number_exotel_success" as const, transfer_number: number } },
      { ...common, result_value: JSON.stringify({ result_type: "transfer_to_number_sip_success" as const, transfer_number: number }) },
    ];
    for (const line of lines) expect(after(line)).toEqual({ forwarded: true, forwardedTo: number });
    const amazon = { ...common, result_value: "", result: { result_type: "transfer_to_number_amazon_connect_success" as const } };
    expect(after(amazon)).toEqual({ forwarded: true });
  });

  it("is not one whose transfer failed, nor one that another agent took over", () => {
    const failed: Results = [
      { ...common, is_error: true, result_value: "busy" },
      { ...common, tool_has_been_called: false, result_value: "blocked" },
      { ...common, result_value: "", result: { result_type: "transfer_to_number_error" as const, error: "No such number" } },
    ];
    for (const each of failed) expect(after(each)).toEqual({});
    const agent = { from_agent: "agent_1", to_agent: "agent_2", condition: "billing" };
    const handover = { ...common, tool_name: "transfer_to_agent", result_value: "" };
    expect(after({ ...handover, result: { result_type: "transfer_to_agent_success" as const, ...agent } })).toEqual({});
    expect(after(failed[0]!, { ...common, result_value: JSON.stringify({ transfer_number: number }) })).toEqual({
      forwarded: true,
      forwardedTo: number,
    });
  });

  it("is known without a transcript by the platform's word that it used that tool", () => {
    const used = { features_usage: { transfer_to_number: { enabled: true, used: true } } };
    expect(decoded({ transcript: [], metadata: { ...metadata, ...used } })).toMatchObject({ forwarded: true });
    expect(decoded({ transcript: [] })).not.toHaveProperty("forwarded");
  });
});

describe("a call that did not come about", () => {
  const failure = (failure_reason: string | undefined, body: object = {}) =>
    decode(
      webhook(
        {
          agent_id: "agent_1",
          conversation_id: "conv_a",
          ...(failure_reason ? { failure_reason } : {}),
          metadata: { type: "twilio", body },
        },
        "call_initiation_failure",
      ),
    );
  it("is an unanswered call or a failure, with the platform's reason", () => {
    expect(failure("busy", { From: "+16175550100", To: "+16175550142", Direction: "outbound-api", CallSid: "CA1" })).toEqual({
      platform: "elevenlabs",
      callId: "conv_a",
      agentId: "agent_1",
      status: "no_answer",
      endedReason: "busy",
      endedAt: new Date((startSeconds + 200) * 1000).toISOString(),
      direction: "outbound",
      callerNumber: "+16175550100",
      calledNumber: "+16175550142",
    });
    expect(failure("no-answer", { from_number: "+16175550100", to_number: "+16175550142" })).toMatchObject({
      status: "no_answer",
      callerNumber: "+16175550100",
      calledNumber: "+16175550142",
    });
    expect(failure("unknown")).toMatchObject({ status: "failed", endedReason: "unknown" });
    expect(failure("struck-by-lightning")).toMatchObject({ status: "failed", endedReason: "struck-by-lightning" });
    expect(failure("+16175550142 is busy")).toMatchObject({ status: "failed", endedReason: "other" });
    expect(failure(undefined)).toMatchObject({ status: "failed", endedReason: "call_initiation_failure" });
  });
});

describe("a message without call progress", () => {
  it("is a recording, an unknown type, or no message at all", () => {
    for (const type of ["post_call_audio", "answering_machine_detection", "brand-new", "conversation-x", "__proto__", ""])
      expect(decode(webhook({ agent_id: "agent_1", conversation_id: "conv_a", full_audio: "SUQz" }, type))).toBeUndefined();
    for (const body of [
      {},
      [],
      null,
      "x",
      7,
      { conversation_id: "conv_a" },
      webhook(undefined),
      webhook([]),
      { type: "post_call_transcription" },
    ])
      expect(decode(body)).toBeUndefined();
  });

  it("is one without a conversation id; an invalid id is refused instead of being ignored", () => {
    for (const conversation_id of [null, undefined]) expect(decode(webhook({ ...told(), conversation_id }))).toBeUndefined();
    for (const [conversation_id, wrong] of [
      ["x".repeat(1001), "Must be at most 1000 characters"],
      [" ", "Is required"],
      [7, "Must be text"],
    ] as const) {
      const refused = (field: string) => expect.objectContaining({ code: "invalid_request", fields: { [field]: wrong } });
      expect(() => decode(webhook({ ...told(), conversation_id }))).toThrow(refused("data.conversation_id"));
      expect(() => decode({ ...told(), conversation_id })).toThrow(refused("conversation_id"));
      expect(decode(webhook({ conversation_id }, "post_call_audio"))).toBeUndefined();
    }
  });
});

describe("of any shape", () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(-1, 1e300, startSeconds, "", " ", "x".repeat(5000), "__proto__", "done", true, null, "\ud800"),
  );
  const some = (names: readonly string[]) =>
    fc.oneof(
      { weight: 1, arbitrary: odd },
      { weight: 4, arbitrary: fc.record(Object.fromEntries(names.map((name) => [name, odd])), { requiredKeys: [] }) },
    );
  const result = fc.oneof(
    odd,
    fc.record({
      tool_name: fc.constant("transfer_to_number"),
      result: some(["result_type", "transfer_number"]),
      result_value: odd,
      is_error: odd,
    }),
  );
  const turns = fc.oneof(
    odd,
    fc.array(
      fc.record({
        role: fc.constantFrom("user", "agent", 7),
        message: odd,
        time_in_call_secs: odd,
        tool_results: fc.oneof(odd, fc.array(result, { maxLength: 3 })),
        conversation_turn_metrics: fc.oneof(odd, some(["metrics", "convai_ttf_audio_since_silence"])),
      }),
      { maxLength: 4 },
    ),
  );
  const data = fc.record(
    {
      conversation_id: fc.constant("conv_a"),
      agent_id: odd,
      agent_name: odd,
      status: odd,
      transcript: turns,
      metadata: some([
        "start_time_unix_secs",
        "call_duration_secs",
        "cost_fiat",
        "termination_reason",
        "error",
        "phone_call",
        "features_usage",
        "body",
      ]),
      analysis: some(["call_successful", "transcript_summary", "data_collection_results"]),
      failure_reason: odd,
    },
    { requiredKeys: ["conversation_id"] },
  );

  it("a message throws nothing but that its conversation's id is none", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ type: fc.constant("post_call_transcription"), data: fc.jsonValue() })), (body) => {
        try {
          decode(body);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_request" });
        }
      }),
    );
  });

  it("an end that is told is one that the call record takes", () => {
    fc.assert(
      fc.property(fc.constantFrom("post_call_transcription", "call_initiation_failure"), data, odd, (type, body, event_timestamp) => {
        const event = decode({ type, event_timestamp, data: body });
        expect(event).toBeDefined();
        expect(z.safeParse(CallEvent, event).error).toBeUndefined();
      }),
    );
  });
});
