import { Vapi } from "@vapi-ai/server-sdk";
import { CallEvent } from "@vitaline/calls";
import { FlatCallSummary } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { vapi } from "./adapter.ts";
import { decodeFlatSummary } from "./call-events.ts";

const call: Vapi.Call = {
  id: "call-a",
  orgId: "org",
  type: "inboundPhoneCall",
  assistantId: "agent-1",
  createdAt: "2026-11-20T10:00:00Z",
  updatedAt: "2026-11-20T10:00:00Z",
};
const about = { platform: "vapi", callId: "call-a", agentId: "agent-1", direction: "inbound" };
const decoded = (message: object) => vapi.decodeCallEvent({ message: { call, ...message } });
const timestamp = Date.UTC(2026, 10, 20, 10, 0, 5);
const at = "2026-11-20T10:00:05.000Z";

const report: Vapi.ServerMessageEndOfCallReport = {
  type: "end-of-call-report",
  call,
  endedReason: "customer-ended-call",
  startedAt: "2026-11-20T10:00:05.000Z",
  endedAt: "2026-11-20T10:03:07.400Z",
  cost: 0.31,
  artifact: {
    transcript: "AI: Hello.\nUser: Hi.",
    messages: [
      { role: "system", message: "You are a receptionist.", time: 0, secondsFromStart: 0 },
      { role: "bot", message: "Hello.", time: 1, endTime: 2, secondsFromStart: 0.4 },
      { role: "user", message: "Hi.", time: 3, endTime: 4, secondsFromStart: 2 },
    ],
    recordingUrl: "https://storage.example/a.wav",
    presignedMonoUrl: "https://storage.example/a.wav?signature=s",
  },
  analysis: { summary: "The caller said hi.", successEvaluation: "true" },
};
const reported = {
  ...about,
  status: "completed",
  endedReason: "customer-ended-call",
  startedAt: "2026-11-20T10:00:05.000Z",
  endedAt: "2026-11-20T10:03:07.400Z",
  durationSeconds: undefined,
  costAmount: 0.31,
  costCurrency: "USD",
  success: true,
  summary: "The caller said hi.",
  transcript: {
    text: "AI: Hello.\nUser: Hi.",
    messages: [
      { role: "assistant", text: "Hello.", atSeconds: 0.4 },
      { role: "caller", text: "Hi.", atSeconds: 2 },
    ],
  },
};

describe("Vapi's report of a call", () => {
  it.each<[Vapi.ServerMessageStatusUpdateStatus, object]>([
    ["scheduled", { status: "queued", startedAt: undefined }],
    ["queued", { status: "queued", startedAt: undefined }],
    ["ringing", { status: "ringing", startedAt: undefined }],
    ["in-progress", { status: "in_progress", startedAt: at }],
    ["forwarding", { status: "in_progress", startedAt: undefined, forwarded: true }],
    ["ended", { status: "completed", endedReason: "customer-ended-call", startedAt: undefined, endedAt: at }],
    ["not-found", { status: "failed", endedReason: "not-found", endedAt: at }],
  ])("is its status: %s", (status, progress) => {
    expect(
      decoded({ type: "status-update", status, timestamp, ...(status === "ended" ? { endedReason: "customer-ended-call" } : {}) }),
    ).toEqual({ ...about, ...progress });
  });

  it("is undefined for a status without progress and without a call id", () => {
    for (const status of ["deletion-failed", "constructor", "brand-new", undefined, 7])
      expect(decoded({ type: "status-update", status })).toBeUndefined();
    for (const other of [{}, { id: null }, null, undefined, 7])
      expect(vapi.decodeCallEvent({ message: { ...report, call: other } })).toBeUndefined();
  });

  it("is refused for an invalid call id instead of being ignored", () => {
    for (const [id, wrong] of [
      ["x".repeat(1001), "Must be at most 1000 characters"],
      ["", "Is required"],
      [" ", "Is required"],
      [7, "Must be text"],
    ] as const) {
      const refused = expect.objectContaining({ code: "invalid_request", fields: { "message.call.id": wrong } });
      for (const about of [report, { type: "status-update", status: "ended" }])
        expect(() => vapi.decodeCallEvent({ message: { ...about, call: { id } } })).toThrow(refused);
      for (const about of [{ type: "hang" }, { type: "status-update", status: "brand-new" }])
        expect(vapi.decodeCallEvent({ message: { ...about, call: { id } } })).toBeUndefined();
    }
    expect(decoded({ ...report, call: { id: `  ${"x".repeat(1000)} ` } })?.callId).toBe("x".repeat(1000));
  });

  it("reads the status in any letter case, and does not end the call on a hang message", () => {
    for (const status of ["Ended", "ENDED", " ended "]) expect(decoded({ type: "status-update", status })?.status).toBe("completed");
    expect(decoded({ type: "status-update", status: "In-Progress" })?.status).toBe("in_progress");
    expect(decoded({ type: "hang", status: "ended" })).toBeUndefined();
  });

  it("leaves out implausible values and keeps the rest", () => {
    for (const odd of ["9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00", "1969-12-31T23:59:59Z", "2100-01-01T00:00:01Z", -1, 1e300])
      expect(decoded({ ...report, startedAt: odd, endedAt: odd, call: { ...call, startedAt: odd, endedAt: odd }, timestamp })).toEqual({
        ...reported,
        startedAt: undefined,
        endedAt: at,
      });
    const { costAmount: _amount, costCurrency: _currency, ...free } = reported;
    for (const cost of [1e308, 1_000_001, -0.01, "1"]) expect(decoded({ ...report, cost })).toEqual(free);
    for (const durationSeconds of [86_401, -1]) expect(decoded({ ...report, durationSeconds })).toEqual(reported);
    const [turn] = report.artifact.messages ?? [];
    expect(
      decoded({ ...report, artifact: { messages: [{ ...turn, role: "user", message: "Hi.", secondsFromStart: 1e308 }] } })?.transcript,
    ).toEqual({ text: undefined, messages: [{ role: "caller", text: "Hi.", atSeconds: undefined }] });
  });

  it("of a text chat is not of the phone call with the same id", () => {
    const ended = { type: "status-update", status: "ended" };
    expect(vapi.decodeCallEvent({ message: { ...ended, chat: { id: "c", sessionId: "call-a" } } })?.callId).toBe("chat:call-a");
    expect(vapi.decodeCallEvent({ message: { ...ended, chat: { id: "call-a" } } })?.callId).toBe("chat:call-a");
    expect(decoded({ ...ended, chat: { id: "c", sessionId: "s" } })?.callId).toBe("call-a");
  });

  it("contains the end report without recording links and prompts", () => {
    expect(vapi.decodeCallEvent({ message: report })).toEqual(reported);
    expect(
      JSON.stringify(
        vapi.decodeCallEvent({
          message: {
            ...report,
            recordingUrl: "https://storage.example/b.wav",
            call: { ...call, monitor: { listenUrl: "wss://phone.example" } },
          },
        }),
      ),
    ).not.toMatch(/storage\.example|phone\.example|receptionist/);
  });

  it("reads the end report's legacy fields as well", () => {
    const { artifact: _artifact, analysis: _analysis, startedAt: _start, endedAt: _end, cost: _cost, ...bare } = report;
    expect(
      vapi.decodeCallEvent({ message: { ...bare, timestamp, durationSeconds: 61.5, transcript: "AI: Hello.", summary: "Short." } }),
    ).toEqual({
      ...about,
      status: "completed",
      endedReason: "customer-ended-call",
      startedAt: undefined,
      endedAt: at,
      durationSeconds: 61.5,
      success: undefined,
      summary: "Short.",
      transcript: { text: "AI: Hello.", messages: [] },
    });
    expect(decoded({ ...bare, durationMs: 61_500 })?.durationSeconds).toBe(61.5);
    expect(decoded({ ...bare, durationSeconds: -4 })?.durationSeconds).toBeUndefined();
    expect(decoded({ ...bare, durationSeconds: "long", startedAt: "yesterday" })).toMatchObject({
      status: "completed",
      startedAt: undefined,
      transcript: undefined,
    });
  });

  it.each<[string, object]>([
    ["the ended reason", { endedReason: "assistant-forwarded-call" }],
    ["a hook's transfer", { endedReason: "call.ringing.hook-executed-transfer" }],
    ["the answer to the call", { endedReason: "assistant-request-returned-forwarding-phone-number" }],
    ["a destination", { destination: { type: "number", number: "+14155550123" } }],
    ["the call's destination", { call: { ...call, destination: { type: "sip", sipUri: "sip:a@b" } } }],
    ["a transfer that connected", { artifact: { transfers: [{ status: "busy" }, { status: "connected" }] } }],
  ])("is that it was forwarded, by %s", (_sign, more) => {
    expect(decoded({ ...report, ...more })).toMatchObject({ status: "completed", forwarded: true });
  });

  it("is not a forwarded call after a failed transfer or a handover between assistants", () => {
    for (const more of [
      { endedReason: "call.forwarding.no-answer" },
      { artifact: { transfers: [{ status: "no-answer" }] } },
      { destination: { type: "assistant" } },
    ])
      expect(decoded({ ...report, ...more })).not.toHaveProperty("forwarded");
    expect(decoded({ type: "transfer-update", destination: { type: "number", number: "+14155550123" } })).toEqual({
      ...about,
      status: "in_progress",
      forwarded: true,
      forwardedTo: "+14155550123",
    });
    for (const destination of [{ type: "assistant" }, undefined]) expect(decoded({ type: "transfer-update", destination })).toBeUndefined();
  });

  it("V05: tells of a transfer to a person that was not answered", () => {
    const transfers = [{ destination: { type: "number", number: "+14155550103" }, status: "no-answer" }];
    expect(decoded({ ...report, artifact: { transfers } })).toMatchObject({ transferTried: true });
    expect(decoded({ ...report, artifact: { transfers } })).not.toHaveProperty("forwarded");
    const within = [{ destination: { type: "assistant", assistantName: "Billing" }, status: "completed" }];
    expect(decoded({ ...report, artifact: { transfers: within } })).not.toHaveProperty("transferTried");
  });

  it("V08: contains the scorecards and the consent to record, and leaves out what is none", () => {
    const scorecards = { a: { name: "Manners", score: 8 }, b: { scoreNormalized: 75 }, c: { name: "Odd", score: "high" }, d: null };
    const recordingConsent = { type: "verbal", grantedAt: "2026-11-20T10:00:09.000Z" };
    expect(decoded({ ...report, artifact: { scorecards }, compliance: { recordingConsent } })).toMatchObject({
      scores: [
        { name: "Manners", score: 8, maxScore: null, passed: null },
        { name: "b", score: 75, maxScore: 100, passed: null },
      ],
      recordingConsentType: "verbal",
      recordingConsentAt: "2026-11-20T10:00:09.000Z",
    });
    for (const odd of [undefined, null, 7, {}, { a: 7 }])
      expect(decoded({ ...report, artifact: { scorecards: odd } } as never)?.scores).toBeUndefined();
  });

  it("contains the forwarding destination, from any field that names it first", () => {
    const to = (number: string): Vapi.TransferArtifactDestination => ({ type: "number", number });
    const transfers: Vapi.TransferArtifact[] = [
      { destination: to("+14155550101"), status: "completed" },
      { destination: to("+14155550102"), status: "connected" },
      { destination: to("+14155550103"), status: "no-answer" },
    ];
    const ended = (more: object) => decoded({ ...report, ...more })?.forwardedTo;
    expect(ended({ artifact: { transfers } })).toBe("+14155550102");
    expect(ended({ artifact: { transfers }, destination: to("+14155550104") })).toBe("+14155550104");
    expect(ended({ call: { ...call, destination: { type: "sip", sipUri: "sip:nurse@clinic.example" } } })).toBe("sip:nurse@clinic.example");
    expect(decoded({ type: "status-update", status: "forwarding", destination: to("+14155550105") })?.forwardedTo).toBe("+14155550105");
    expect(ended({ artifact: { transfers: transfers.slice(2) } })).toBeUndefined();
  });

  it("contains the agent's name, the caller's and the called number", () => {
    const customer: Vapi.CreateCustomerDto = { number: "+16175550100" };
    const phoneNumber: Vapi.ServerMessageEndOfCallReportPhoneNumber = {
      provider: "twilio",
      number: "+16175550142",
      twilioAccountSid: "AC",
    };
    const assistant: Vapi.CreateAssistantDto = { name: "Front desk" };
    const seen = { agentName: "Front desk", callerNumber: "+16175550100", calledNumber: "+16175550142" };
    expect(decoded({ ...report, customer, phoneNumber, assistant })).toMatchObject(seen);
    expect(decoded({ ...report, call: { ...call, customer, phoneNumber: { number: "+16175550142" }, assistant } })).toMatchObject(seen);
    expect(decoded({ ...report, customer, phoneNumber, call: { ...call, type: "outboundPhoneCall" } })).toMatchObject({
      callerNumber: "+16175550142",
      calledNumber: "+16175550100",
    });
    expect(decoded({ ...report, customer: 7, phoneNumber: { number: [] }, assistant: "x" })).toEqual(reported);
  });

  it("contains the caller's waits per turn", () => {
    const latency = (turns: unknown) => {
      const event = decoded({ ...report, artifact: { performanceMetrics: { turnLatencies: turns } } });
      return [event?.latencyP50Ms, event?.latencyP95Ms];
    };
    const turns: Vapi.TurnLatency[] = [900, 100, 500, 300, 700].map((turnLatency) => ({ modelLatency: 50, turnLatency }));
    expect(latency(turns)).toEqual([500, 900]);
    expect(latency([{ turnLatency: 420 }, { turnLatency: "long" }, { turnLatency: -1 }, null])).toEqual([420, 420]);
    for (const none of [[], [{}], "none", undefined]) expect(latency(none)).toEqual([undefined, undefined]);
  });

  it("contains the tenant's extracted data", () => {
    const analysis: Vapi.Analysis = { structuredData: { reason: "refill" }, structuredDataMulti: [{ a: 1 }], successEvaluation: "true" };
    const structuredOutputs = { "output-1": { name: "Urgency", result: "low" } };
    expect(decoded({ ...report, analysis, artifact: { structuredOutputs } })?.analysis).toEqual({
      structuredData: { reason: "refill" },
      structuredDataMulti: [{ a: 1 }],
      structuredOutputs,
    });
    expect(decoded({ ...report, analysis: { structuredData: null } })?.analysis).toBeUndefined();
    const endless = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`) as Record<string, unknown>;
    const event = decoded({ ...report, analysis: { structuredData: endless } });
    expect(z.parse(CallEvent, event)).toMatchObject({ callId: "call-a", analysis: undefined });
  });

  it("contains the direction from the patient's view", () => {
    const direction = (type: string) => decoded({ ...report, call: { ...call, type } })?.direction;
    expect(["inboundPhoneCall", "webCall", "outboundPhoneCall", "vapi.websocketCall"].map(direction)).toEqual([
      "inbound",
      "inbound",
      "outbound",
      undefined,
    ]);
  });

  it("maps every reason for an end that Vapi's SDK knows", () => {
    const status = (endedReason: string | undefined) => decoded({ ...report, endedReason })?.status;
    const unmapped = Object.values(Vapi.ServerMessageEndOfCallReportEndedReason).filter((reason) => status(reason) === "unknown");
    expect(unmapped).toEqual([]);
    const expected: Record<string, string[]> = {
      completed: [
        "customer-ended-call",
        "customer-ended-call-after-warm-transfer-attempt",
        "assistant-ended-call",
        "assistant-said-end-call-phrase",
        "silence-timed-out",
        "exceeded-max-duration",
        "vonage-completed",
        "call.in-progress.sip-completed-call",
        "assistant-forwarded-call",
        "call.ending.hook-executed-say",
      ],
      no_answer: ["customer-did-not-answer", "customer-busy", "voicemail"],
      cancelled: ["manually-canceled", "scheduled-call-deleted", "call-deleted"],
      failed: [
        "pipeline-error-openai-llm-failed",
        "call.start.error-get-org",
        "call.in-progress.error-vapifault-worker-died",
        "worker-shutdown",
        "twilio-failed-to-connect-call",
        "assistant-not-found",
        "assistant-request-returned-error",
        "assistant-join-timed-out",
        "vonage-rejected",
        "call.forwarding.operator-busy",
      ],
      unknown: ["something-brand-new"],
    };
    for (const [outcome, reasons] of Object.entries(expected))
      expect(reasons.map((reason) => [reason, status(reason)])).toEqual(reasons.map((reason) => [reason, outcome]));
    expect(status(undefined)).toBe("completed");
  });

  it.each<[unknown, boolean | undefined]>([
    ["true", true],
    ["False", false],
    [true, true],
    ["Excellent", true],
    ["poor", false],
    ["Strongly Disagree", false],
    ["8", true],
    [3, false],
    ["8/10", true],
    ["85%", true],
    ["20 %", false],
    ["fair", undefined],
    ["0.4", undefined],
    ["11", undefined],
    ["", undefined],
    [{ toString: 1 }, undefined],
    [undefined, undefined],
  ])("reads the success evaluation %j as %j", (successEvaluation, success) => {
    expect(decoded({ ...report, analysis: { successEvaluation } })?.success).toBe(success);
  });

  it("never exceeds the call record's limits, and no JSON makes decoding throw", () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(() => vapi.decodeCallEvent(body)).not.toThrow()));
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(-1, 1e300, timestamp, "2026-11-20T10:00:05Z", "2026-11-20T10:00:05+02:00", "2026-13-40T00:00:00Z", "", " "),
    );
    const message = fc.record(
      {
        type: fc.constantFrom("status-update", "transfer-update", "end-of-call-report"),
        call: fc.record(
          { id: fc.string({ maxLength: 200 }).map((id) => `c${id}`), type: odd, assistantId: odd, startedAt: odd, destination: odd },
          { requiredKeys: ["id"] },
        ),
        status: fc.oneof(odd, fc.constantFrom(...Object.values(Vapi.ServerMessageStatusUpdateStatus))),
        ...Object.fromEntries(
          [
            "timestamp",
            "endedReason",
            "startedAt",
            "endedAt",
            "durationSeconds",
            "durationMs",
            "cost",
            "destination",
            "transcript",
            "summary",
          ].map((name) => [name, odd]),
        ),
        customer: fc.oneof(odd, fc.record({ number: odd })),
        phoneNumber: fc.oneof(odd, fc.record({ number: odd })),
        assistant: fc.oneof(odd, fc.record({ name: odd })),
        analysis: fc.oneof(odd, fc.record({ summary: odd, successEvaluation: odd, structuredData: odd, structuredDataMulti: odd })),
        artifact: fc.oneof(
          odd,
          fc.record({
            transcript: odd,
            messages: fc.array(
              fc.oneof(odd, fc.record({ role: fc.constantFrom("user", "bot", "system", 7), message: odd, secondsFromStart: odd })),
            ),
            transfers: fc.array(odd),
            structuredOutputs: odd,
            performanceMetrics: fc.oneof(odd, fc.record({ turnLatencies: fc.array(fc.record({ turnLatency: odd })) })),
          }),
        ),
      },
      { requiredKeys: ["type", "call"] },
    );
    fc.assert(
      fc.property(message, (body) => {
        const event = vapi.decodeCallEvent({ message: body });
        if (body.type === "end-of-call-report") expect(event).toBeDefined();
        if (event) expect(z.safeParse(CallEvent, event).error).toBeUndefined();
      }),
    );
  });
});

describe("a summary without Vapi's envelope", () => {
  it("ends the call with its own word on success", () => {
    expect(
      decodeFlatSummary({
        callId: "call-a",
        summary: "Booked.",
        outcome: "booked",
        resolved: true,
        durationSeconds: 90,
        endedReason: "customer-ended-call",
      }),
    ).toEqual({
      platform: "vapi",
      callId: "call-a",
      status: "completed",
      endedReason: "customer-ended-call",
      durationSeconds: 90,
      success: true,
      statedResolved: true,
      summary: "Booked.",
      outcome: "booked",
    });
  });

  it("takes null and nothing for the same", () => {
    const bare = decodeFlatSummary({ callId: "call-a", summary: "Hi." });
    expect(
      decodeFlatSummary({ callId: "call-a", summary: "Hi.", outcome: null, resolved: null, durationSeconds: null, endedReason: null }),
    ).toEqual(bare);
    expect(bare).toEqual({ platform: "vapi", callId: "call-a", status: "completed", summary: "Hi." });
  });

  it("names its call as the envelope does, so that both are about the same one", () => {
    const parsed = (callId: unknown) => z.safeParse(FlatCallSummary, { callId, summary: "Hi." });
    for (const callId of ["", " ", "\t\n", "x".repeat(1001), 7, null]) expect(parsed(callId).success).toBe(false);
    const long = "x".repeat(1000);
    for (const [given, callId] of [
      [" call-a ", "call-a"],
      [long, long],
    ] as const) {
      expect(decodeFlatSummary(parsed(given).data!).callId).toBe(callId);
      expect(decoded({ ...report, call: { id: given } })?.callId).toBe(callId);
    }
  });

  it("of a forwarded call says so", () => {
    expect(decodeFlatSummary({ callId: "call-a", summary: "Sent on.", endedReason: "assistant-forwarded-call" })).toMatchObject({
      status: "completed",
      forwarded: true,
    });
  });
});
