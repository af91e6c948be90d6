import { randomUUID } from "node:crypto";
import { keys, type CallRow } from "@vitaline/store";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
let one: Clinic;
let two: Clinic;
beforeAll(async () => {
  town = await startClinics();
  [one, two] = town.clinics;
}, 60_000);
afterAll(() => town.close());

let printed: string;
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

type Address = "tool-call" | "server" | "call-summary";
const post = async (address: Address, body: unknown, headers: Record<string, string> = { authorization: `Bearer ${one.apiKey}` }) => {
  const response = await fetch(`${town.origin}/api/vapi/${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const callOf = ({ ctx }: Clinic, callId: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("vapi", callId)));
const message = (callId: string, fields: object) => ({ message: { call: { id: callId, type: "inboundPhoneCall" }, ...fields } });
const tool = (id: string, name: string, args: unknown = {}) => ({ id, type: "function", function: { name, arguments: args } });
const toolCalls = (callId: string, ...asked: object[]) => message(callId, { type: "tool-calls", toolCallList: asked });
const claim = ({ sandbox }: Clinic) => {
  const { given, family, birthDate, phone } = sandbox.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};
const verified = (clinic: Clinic) => {
  const { firstName } = claim(clinic);
  const level1 = { verified: true, level: 1, attemptsLeft: 3, firstName };
  return { result: JSON.stringify({ speech: `Thanks, ${firstName}.`, data: level1 }), metadata: level1 };
};
const needsIdentity =
  "Before I can do that, I need to verify who I'm speaking with. Please tell me your full name, date of birth, and your phone number or zip code on file.";
const misunderstood = "I need a little more information to do that. Could you tell me once more what you need?";

describe("Vapi's tool calls", () => {
  it("run in order, so the identity check and the tools that need it can be in one request", async () => {
    const { status, body } = await post(
      "tool-call",
      toolCalls(randomUUID(), tool("t1", "verifyPatientIdentity", claim(one)), tool("t2", "getPatientInfo")),
    );
    const { given, family } = one.sandbox.patients[0]!;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      results: [
        { toolCallId: "t1", name: "verifyPatientIdentity", ...verified(one) },
        { toolCallId: "t2", name: "getPatientInfo", result: expect.stringContaining(`the record of ${given} ${family}`) },
      ],
    });
  });

  it("are answered in the same way at /server, with arguments as JSON text", async () => {
    const asked = toolCalls(randomUUID(), tool("t1", "verifyPatientIdentity", JSON.stringify(claim(one))));
    expect(await post("server", asked)).toEqual({
      status: 200,
      body: { results: [{ toolCallId: "t1", name: "verifyPatientIdentity", ...verified(one) }] },
    });
  });

  it("without a matching tool are answered with 200 and a sentence each", async () => {
    const callId = randomUUID();
    const answers = await post(
      "tool-call",
      toolCalls(
        callId,
        tool("t1", "orderPizza"),
        tool("t2", "getPatientInfo"),
        tool("t3", "verifyPatientIdentity", '{"firstName": '),
        tool("t4", "scheduleAppointment", { action: "dance" }),
      ),
    );
    expect(answers).toEqual({
      status: 200,
      body: {
        results: [
          { toolCallId: "t1", name: "orderPizza", error: "That isn't something I can help with on this call." },
          { toolCallId: "t2", name: "getPatientInfo", error: needsIdentity },
          {
            toolCallId: "t3",
            name: "verifyPatientIdentity",
            error: JSON.stringify({ speech: misunderstood, data: { fields: { arguments: "is missing" } } }),
            metadata: { fields: { arguments: "is missing" } },
          },
          {
            toolCallId: "t4",
            name: "scheduleAppointment",
            error: expect.stringMatching(/^{"speech":"Would you like to book, change or cancel an appointment\?","data":{"fields":/),
            metadata: { fields: { action: "one of find, book, list, reschedule, cancel" } },
          },
        ],
      },
    });
  });

  it("sent again with the same id get the first result, and book once", async () => {
    const callId = randomUUID();
    const opened = await post(
      "tool-call",
      toolCalls(callId, tool("t1", "verifyPatientIdentity", claim(one)), tool("t2", "scheduleAppointment", { action: "find" })),
    );
    const [, found] = opened.body["results"] as { metadata: { slots: { slotId: string }[] } }[];
    const booking = tool("t3", "scheduleAppointment", { action: "book", slotId: found!.metadata.slots[0]!.slotId });
    const first = await post("tool-call", toolCalls(callId, booking));
    expect(first.body).toMatchObject({
      results: [{ toolCallId: "t3", result: expect.stringMatching(/^{"speech":"You're booked for /), metadata: { result: "booked" } }],
    });
    expect(await post("tool-call", toolCalls(callId, booking))).toEqual(first);
    const [once] = first.body["results"] as object[];
    expect((await post("tool-call", toolCalls(callId, booking, booking))).body).toEqual({ results: [once, once] });
  });

  it("do not start when no time is left, and the earlier results are still returned", async () => {
    const late = "That is taking longer than it should, so I stopped. Shall I try again?";
    const callId = randomUUID();
    await post("tool-call", toolCalls(randomUUID(), tool("warm", "verifyPatientIdentity", claim(one))));
    const fault = { kind: "slow", delayMs: 2000, match: { path: "/r4/Patient" }, times: 1 };
    await fetch(`${one.sandbox.origin}/faults`, { method: "POST", body: JSON.stringify(fault) });
    town.remainingMs = 4400;
    const asked = toolCalls(
      callId,
      tool("t1", "verifyPatientIdentity", claim(one)),
      tool("t2", "getPatientInfo"),
      tool("t3", "scheduleAppointment"),
    );
    const answered = await post("tool-call", asked);
    town.remainingMs = 1500;
    const none = await post("tool-call", toolCalls(callId, tool("t4", "getPatientInfo")));
    town.remainingMs = 20_000;
    expect(answered).toEqual({
      status: 200,
      body: {
        results: [
          { toolCallId: "t1", name: "verifyPatientIdentity", ...verified(one) },
          { toolCallId: "t2", name: "getPatientInfo", error: late },
          { toolCallId: "t3", name: "scheduleAppointment", error: late },
        ],
      },
    });
    expect(none).toEqual({ status: 200, body: { results: [{ toolCallId: "t4", name: "getPatientInfo", error: late }] } });
    expect((await post("tool-call", toolCalls(callId, tool("t2", "getPatientInfo")))).body).toMatchObject({
      results: [{ result: expect.stringContaining("the record of") }],
    });
  });

  it("in the older format get one result", async () => {
    const asked = message(randomUUID(), { type: "function-call", functionCall: { name: "verifyPatientIdentity", parameters: claim(one) } });
    expect(await post("tool-call", asked)).toEqual({ status: 200, body: { result: verified(one).result } });
  });

  it("outside a call do not run", async () => {
    expect(
      await post("tool-call", { message: { type: "tool-calls", toolCallList: [tool("t1", "verifyPatientIdentity", claim(one))] } }),
    ).toEqual({
      status: 200,
      body: {
        results: [
          {
            toolCallId: "t1",
            name: "verifyPatientIdentity",
            error: "I can't tell which call this is, so I can't do that right now.",
          },
        ],
      },
    });
  });

  it("with the same call id in two tenants are two calls", async () => {
    const callId = randomUUID();
    await post("tool-call", toolCalls(callId, tool("t1", "verifyPatientIdentity", claim(one))));
    const other = await post("tool-call", toolCalls(callId, tool("t2", "getPatientInfo")), { "x-vapi-secret": two.apiKey });
    expect(other.body).toEqual({ results: [{ toolCallId: "t2", name: "getPatientInfo", error: needsIdentity }] });
  });

  it("are refused without a key, with half a key, and with two different ones", async () => {
    const asked = toolCalls(randomUUID(), tool("t1", "getPatientInfo"));
    for (const headers of [
      {},
      { authorization: "Bearer vtl_live_nonsense" },
      { authorization: `Basic ${one.apiKey}` },
      { "x-api-key": one.apiKey, "x-vapi-secret": two.apiKey },
    ]) {
      expect(await post("tool-call", asked, headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { error: "The API key is missing or not valid.", code: "unauthenticated" },
      });
    }
  });
});

describe("unknown messages", () => {
  it.each<[string, unknown, number, string]>([
    ["broken JSON", '{"message": ', 400, "invalid_json"],
    ["no message", {}, 400, "invalid_request"],
    ["a message without a type", { message: {} }, 400, "invalid_request"],
    ["an array", [], 400, "invalid_request"],
    [
      "more than 5.75 MiB",
      JSON.stringify({ message: { type: "hang", transcript: "x".repeat(5.75 * 1024 * 1024) } }),
      413,
      "payload_too_large",
    ],
  ])("is refused: %s", async (_what, body, status, code) => {
    for (const address of ["tool-call", "server"] as const) expect(await post(address, body)).toMatchObject({ status, body: { code } });
  });
});

describe("Vapi's other messages", () => {
  it.each<[string, object]>([
    [
      "assistant-request",
      {
        error:
          "This number is not set up for the assistant yet. Please call the office directly. Este número todavía no está configurado para el asistente. Por favor llame directamente al consultorio.",
      },
    ],
    ["knowledge-base-request", { documents: [] }],
    ["conversation-update", {}],
    ["transcript", {}],
    ['transcript[transcriptType="final"]', {}],
    ["hang", {}],
    ["speech-update", {}],
    ["user-interrupted", {}],
    ["voice-input", {}],
    ["model-output", {}],
    ["language-changed", {}],
    ["phone-call-control", {}],
    ["invented-next-year", {}],
  ])("are answered safely and leave no trace: %s", async (type, body) => {
    const callId = randomUUID();
    for (const address of ["server", "tool-call"] as const)
      expect(await post(address, message(callId, { type }))).toEqual({ status: 200, body });
    expect(await callOf(one, callId)).toBeUndefined();
  });

  it("that request a transfer destination get the person on duty, and the same one when sent again", async () => {
    const callId = randomUUID();
    const ask = () => post("server", message(callId, { type: "transfer-destination-request" }));
    const answer = { status: 200, body: { destination: expect.objectContaining({ type: "number", number: "+14155550123" }) as object } };
    expect([await ask(), await ask()]).toEqual([answer, answer]);
  });
});

const report = {
  type: "end-of-call-report",
  endedReason: "customer-ended-call",
  startedAt: "2026-11-20T10:00:00Z",
  endedAt: "2026-11-20T10:01:30Z",
  artifact: { transcript: "AI: Hello." },
  analysis: { summary: "Said hello.", successEvaluation: "true" },
};

describe("the record of a call", () => {
  it("is one record, with messages in any order and repeated", async () => {
    const messages = [
      { type: "status-update", status: "ringing" },
      { type: "status-update", status: "in-progress" },
      { type: "status-update", status: "ended", endedReason: "customer-ended-call" },
      report,
    ];
    for (const order of [messages, messages.toReversed(), [...messages, ...messages]]) {
      const callId = randomUUID();
      for (const each of order) expect(await post("server", message(callId, each))).toEqual({ status: 200, body: {} });
      expect(await callOf(one, callId)).toMatchObject({
        platform: "vapi",
        status: "completed",
        durationSeconds: 90,
        success: true,
        forwarded: false,
        endedReason: "customer-ended-call",
        direction: "inbound",
      });
      expect(await callOf(two, callId)).toBeUndefined();
    }
  });

  it("is created from its report alone, at both addresses", async () => {
    for (const [address, body] of [
      ["server", {}],
      ["call-summary", { received: true }],
    ] as const) {
      const callId = randomUUID();
      expect(await post(address, message(callId, report))).toEqual({ status: 200, body });
      expect(await callOf(one, callId)).toMatchObject({ status: "completed", durationSeconds: 90 });
    }
  });

  it("is created from a summary without an envelope, with null for absent fields", async () => {
    const callId = randomUUID();
    expect(
      await post("call-summary", {
        callId,
        summary: "Asked for opening hours.",
        outcome: "answered",
        resolved: false,
        durationSeconds: 42,
        endedReason: null,
      }),
    ).toEqual({ status: 200, body: { received: true } });
    expect(await callOf(one, callId)).toMatchObject({ status: "completed", durationSeconds: 42, success: false, outcome: "answered" });
  });

  it("ends the identity of the call", async () => {
    const callId = randomUUID();
    await post("tool-call", toolCalls(callId, tool("t1", "verifyPatientIdentity", claim(one))));
    await post("server", message(callId, report));
    const late = await post("tool-call", toolCalls(callId, tool("t2", "getPatientInfo")));
    expect(late.body).toEqual({
      results: [{ toolCallId: "t2", name: "getPatientInfo", error: "This call has already ended, so nothing more can be done in it." }],
    });
  });

  it("is not created by a report without a call id, which is ignored at /server and refused at /call-summary", async () => {
    expect(await post("server", { message: report })).toEqual({ status: 200, body: {} });
    expect(await post("call-summary", { message: report })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", fields: { "message.call.id": "Is required" } },
    });
    expect(await post("call-summary", { callId: "", summary: "x" })).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("is logged without the conversation", async () => {
    const callId = randomUUID();
    const { firstName, lastName, dateOfBirth, phoneNumber } = claim(one);
    const spoken = {
      ...report,
      artifact: { transcript: `User: I am ${firstName} ${lastName}.` },
      analysis: { summary: `${lastName}, born ${dateOfBirth}` },
      customer: { number: phoneNumber },
    };
    await post(
      "tool-call",
      toolCalls(
        callId,
        tool("t1", "verifyPatientIdentity", claim(one)),
        tool("t2", lastName),
        tool("t3", "getPatientInfo", `{"name": "${lastName}`),
      ),
    );
    for (const each of [spoken, { type: lastName }, { type: "status-update", status: phoneNumber }])
      await post("server", message(callId, each));
    await post("call-summary", { callId: "", summary: `${lastName} called` });
    await post("tool-call", `{"patient": "${lastName}"`);
    expect(printed.split("\n").filter((line) => line.includes('"event":"request.answered"')).length).toBe(6);
    for (const secret of [lastName, dateOfBirth, phoneNumber, phoneNumber.replace(/\D/g, ""), one.apiKey, one.sandbox.patients[0]!.id])
      expect(printed).not.toContain(secret);
  });
});
