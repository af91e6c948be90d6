import { CallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import fc from "fast-check";
import type Retell from "retell-sdk";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { retellAi } from "./adapter.ts";
import { analyzedCall, endedCall, events, startedCall } from "./webhook.fixture.ts";

const decoded = (event: string, call: object, more: object = {}) => retellAi.decodeCallEvent({ event, call, ...more });
const about = {
  platform: "retellai",
  callId: "call-a",
  agentId: "agent-1",
  agentName: "Receptionist",
  direction: "inbound",
  startedAt: "2026-03-01T10:00:05.000Z",
  callerNumber: "+14155550101",
  calledNumber: "+16175550100",
};
const ended = {
  ...about,
  status: "completed",
  endedReason: "user_hangup",
  endedAt: "2026-03-01T10:03:07.400Z",
  durationSeconds: 182.4,
  latencyP50Ms: 812.4,
  latencyP95Ms: 1730,
  costAmount: 0.3145,
  costCurrency: "USD",
};

describe("Retell's report of a call", () => {
  it.each<[string, object]>([
    ["call_started", { status: "in_progress" }],
    ["transcript_updated", { status: "in_progress" }],
    ["transfer_started", { status: "in_progress", transferTried: true }],
    ["transfer_bridged", { status: "in_progress", forwarded: true, forwardedTo: "+14155550123" }],
    ["transfer_cancelled", { status: "in_progress", transferTried: true }],
    ["transfer_ended", { status: "in_progress" }],
  ])("while it lasts is that it lasts, and whether it has left for a person: %s", (event, progress) => {
    const destination = { transfer_destination: "+14155550123", transfer_option: { type: "cold_transfer" } };
    expect(decoded(event, startedCall, destination)).toEqual({ ...about, ...progress });
    expect(decoded(event, { ...endedCall, disconnection_reason: "call_transfer" }, destination)).toEqual({ ...about, ...progress });
  });

  it("contains the transfer destination as a number, as in the agent's settings, or from the call itself", () => {
    const to = (more: object, call: object = startedCall) => decoded("transfer_bridged", call, more)?.forwardedTo;
    expect(to({ transfer_destination: { type: "predefined", number: "+14155550123" } })).toBe("+14155550123");
    expect(to({}, { ...startedCall, transfer_destination: "sip:desk@clinic.example" })).toBe("sip:desk@clinic.example");
    for (const odd of [null, 7, {}, { number: 7 }]) expect(to({ transfer_destination: odd })).toBeUndefined();
  });

  it("contains the facts at the call's end, and the transcript after Retell's analysis", () => {
    expect(decoded("call_ended", endedCall)).toEqual(ended);
    expect(decoded("call_analyzed", analyzedCall)).toEqual({
      ...ended,
      success: true,
      sentiment: "Positive",
      summary: "The caller said hi.",
      analysis: { reason_for_call: "refill", is_new_patient: false },
      transcript: {
        text: "Agent: Hello.\nUser: Hi.",
        messages: [
          { role: "assistant", text: "Hello.", atSeconds: 0.4 },
          { role: "caller", text: "Hi.", atSeconds: 2.1 },
          { role: "staff", text: "Front desk.", atSeconds: undefined },
        ],
      },
    });
  });

  it("never contains a link to a recording or a log, tool traffic, or the tenant's metadata", () => {
    expect(Object.keys(analyzedCall).filter((name) => name.endsWith("_url"))).not.toEqual([]);
    for (const [event, call] of events)
      expect(JSON.stringify(decoded(event, { ...analyzedCall, ...call }))).not.toMatch(
        /https?:|tool-result-words|metadata-words|variable-words/,
      );
  });

  it("uses the transcript without personal data if Retell keeps no other", () => {
    const { transcript: _text, transcript_object: _turns, ...kept } = analyzedCall;
    expect(decoded("call_analyzed", kept)?.transcript).toEqual({
      text: undefined,
      messages: [{ role: "caller", text: "I am [name].", atSeconds: 1 }],
    });
    const { scrubbed_transcript_with_tool_calls: _scrubbed, ...basic } = kept;
    expect(decoded("call_analyzed", basic)?.transcript).toBeUndefined();
  });

  it("contains the direction from the patient's view", () => {
    const web: Partial<Retell.WebCallResponse> = { call_id: "call-a", call_type: "web_call" };
    expect(decoded("call_started", web)).toMatchObject({ direction: "inbound", callerNumber: undefined });
    expect(decoded("call_started", { ...startedCall, direction: "outbound" })?.direction).toBe("outbound");
    expect(decoded("call_started", { ...startedCall, direction: "sideways" })?.direction).toBeUndefined();
  });

  it("maps every reason for an end that Retell's SDK knows", () => {
    const outcomes: Record<NonNullable<Retell.PhoneCallResponse["disconnection_reason"]>, [CallStatus, "forwarded"?]> = {
      user_hangup: ["completed"],
      agent_hangup: ["completed"],
      call_transfer: ["completed", "forwarded"],
      voicemail_reached: ["no_answer"],
      ivr_reached: ["no_answer"],
      inactivity: ["completed"],
      max_duration_reached: ["completed"],
      concurrency_limit_reached: ["failed"],
      // No agent was free; the call was forwarded to the number's fallback.
      no_concurrency_fallback: ["completed", "forwarded"],
      no_valid_payment: ["failed"],
      scam_detected: ["failed"],
      dial_busy: ["no_answer"],
      dial_failed: ["failed"],
      dial_no_answer: ["no_answer"],
      invalid_destination: ["failed"],
      telephony_provider_permission_denied: ["failed"],
      telephony_provider_unavailable: ["failed"],
      sip_routing_error: ["failed"],
      marked_as_spam: ["failed"],
      user_declined: ["no_answer"],
      error_llm_websocket_open: ["failed"],
      error_llm_websocket_lost_connection: ["failed"],
      error_llm_websocket_runtime: ["failed"],
      error_llm_websocket_corrupt_payload: ["failed"],
      error_no_audio_received: ["failed"],
      error_asr: ["failed"],
      error_retell: ["failed"],
      error_unknown: ["failed"],
      error_user_not_joined: ["failed"],
      registered_call_timeout: ["failed"],
      transfer_bridged: ["completed", "forwarded"],
      transfer_cancelled: ["completed"],
      manual_stopped: ["completed"],
      call_take_over: ["completed", "forwarded"],
    };
    for (const [disconnection_reason, [status, left]] of Object.entries(outcomes))
      for (const event of ["call_ended", "call_analyzed"]) {
        const told = decoded(event, { ...endedCall, disconnection_reason });
        expect([disconnection_reason, told?.status, told?.forwarded]).toEqual([disconnection_reason, status, left && true]);
      }
  });

  it("accepts older reasons, and keeps an unknown one", () => {
    const told = (disconnection_reason: unknown) => decoded("call_ended", { ...endedCall, disconnection_reason });
    expect(told("machine_detected")?.status).toBe("no_answer");
    expect(told("error_inbound_webhook")?.status).toBe("failed");
    for (const brandNew of ["something_brand_new", "constructor", "user_hangup_not"])
      expect(told(brandNew)).toMatchObject({ status: "unknown", endedReason: brandNew });
  });

  it("without a reason uses the call's status, for each of its values", () => {
    const outcomes: Record<Retell.PhoneCallResponse["call_status"], CallStatus> = {
      registered: "completed",
      ongoing: "completed",
      ended: "completed",
      not_connected: "no_answer",
      error: "failed",
    };
    const status = (call_status: unknown) => decoded("call_ended", { ...endedCall, disconnection_reason: undefined, call_status })?.status;
    expect(Object.fromEntries(Object.keys(outcomes).map((one) => [one, status(one)]))).toEqual(outcomes);
    expect([status(undefined), status("brand_new")]).toEqual(["completed", "unknown"]);
  });

  it("has the status no_answer for a voicemail, unless the call was forwarded", () => {
    const told = (disconnection_reason: string) =>
      decoded("call_analyzed", { ...analyzedCall, disconnection_reason, call_analysis: { in_voicemail: true } })?.status;
    expect(["agent_hangup", "call_transfer", "error_asr"].map(told)).toEqual(["no_answer", "completed", "failed"]);
  });

  it("counts cents as dollars", () => {
    const cost = (combined_cost: unknown) => decoded("call_ended", { ...endedCall, call_cost: { combined_cost } })?.costAmount;
    expect([0, 1, 31.45, 100, -1, "7", null].map(cost)).toEqual([0, 0.01, 0.3145, 1, undefined, undefined, undefined]);
  });

  it("is undefined for other events and without a call id", () => {
    for (const event of ["chat_started", "chat_ended", "invented_next_year", "constructor", "__proto__", "", undefined, 7])
      expect(retellAi.decodeCallEvent({ event, call: endedCall })).toBeUndefined();
    for (const call of [{}, { call_id: null }, null, undefined, 7])
      expect(retellAi.decodeCallEvent({ event: "call_ended", call })).toBeUndefined();
  });

  it("is refused for an invalid call id instead of being ignored", () => {
    for (const [call_id, wrong] of [
      ["x".repeat(1001), "Must be at most 1000 characters"],
      ["", "Is required"],
      [7, "Must be text"],
    ] as const) {
      const refused = expect.objectContaining({ code: "invalid_request", fields: { "call.call_id": wrong } });
      for (const [event] of events) expect(() => decoded(event, { ...endedCall, call_id })).toThrow(refused);
      expect(decoded("invented_next_year", { call_id })).toBeUndefined();
    }
  });

  it("leaves out implausible values and keeps the rest", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const odd = {
      ...analyzedCall,
      start_timestamp: -1,
      end_timestamp: 1e300,
      duration_ms: "long",
      latency: { e2e: { p50: -4, p95: null } },
      call_cost: { combined_cost: 1e308 },
      transcript_object: "none",
      scrubbed_transcript_with_tool_calls: undefined,
      call_analysis: { ...analyzedCall.call_analysis, custom_analysis_data: { deep }, call_successful: "maybe" },
    };
    expect(decoded("call_analyzed", odd)).toMatchObject({
      status: "completed",
      summary: "The caller said hi.",
      startedAt: undefined,
      endedAt: undefined,
      durationSeconds: undefined,
      latencyP50Ms: undefined,
      success: undefined,
      analysis: undefined,
      transcript: { text: "Agent: Hello.\nUser: Hi.", messages: [] },
    });
  });

  it("never exceeds the call record's limits, and for any JSON decoding fails only because of the call id", () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(-1, 0, 1e300, 5e-324, Date.UTC(2026, 2, 1), "", " ", "\ud800", "x".repeat(20_000), "user_hangup", "ended", "inbound"),
    );
    /** Like `value`, with any part replaced by any JSON. */
    const like = (value: unknown): fc.Arbitrary<unknown> => {
      if (Array.isArray(value)) return fc.oneof(odd, fc.array(fc.oneof(odd, like(value[0])), { maxLength: 3 }));
      if (typeof value !== "object" || value === null) return odd;
      const fields = Object.entries(value).map(([name, one]) => [name, like(one)] as const);
      return fc.oneof(odd, fc.record(Object.fromEntries(fields), { requiredKeys: [] }));
    };
    const call = fc.record(
      {
        ...Object.fromEntries(Object.entries(analyzedCall).map(([name, value]) => [name, like(value)])),
        call_id: fc.oneof(fc.constant("call-a"), odd),
      },
      { requiredKeys: ["call_id"] },
    );
    const body = fc.record({ event: fc.constantFrom(...events.map(([event]) => event), "other"), call, transfer_destination: odd });
    fc.assert(fc.property(fc.jsonValue(), (given) => void expect(retellAi.decodeCallEvent(given)).toBeUndefined()));
    fc.assert(
      fc.property(body, (given) => {
        try {
          const event = retellAi.decodeCallEvent(given);
          if (given.call["call_id"] === "call-a" && given.event !== "other") expect(event).toBeDefined();
          if (event) expect(z.safeParse(CallEvent, event).error).toBeUndefined();
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
          expect(Object.keys(error.fields ?? {})).toEqual(["call.call_id"]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
