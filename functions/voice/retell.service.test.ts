import { randomUUID } from "node:crypto";
import { ChangedVoiceProvider, NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { keys, type CallRow } from "@vitaline/store";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import type Retell from "retell-sdk";
import { symmetric } from "retell-sdk/lib/webhook_auth";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";
import { openGateway, type Gateway } from "./gateway.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

type Account = { clinic: Clinic; providerId: string; retellKey: string };

let town: Clinics;
let gateway: Gateway;
let one: Account;
let two: Account;
beforeAll(async () => {
  town = await startClinics();
  gateway = await openGateway();
  const [first, second] = town.clinics;
  [one, two] = [await connect(first), await connect(second)];
}, 60_000);
afterAll(() => Promise.all([town.close(), gateway.close()]));

let printed: string;
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

async function connect(clinic: Clinic, webhookSecret?: string): Promise<Account> {
  const retellKey = `key_${randomUUID()}`;
  const config = { apiKey: retellKey, voice: "11labs-Grace" };
  const input = NewVoiceProvider.parse({
    providerType: "retellai",
    providerName: "Retell",
    config,
    ...(webhookSecret ? { webhookSecret } : {}),
  });
  const { id } = await createVoiceProvider(clinic.ctx, input);
  return { clinic, providerId: id, retellKey };
}

const post = async (path: string, body: unknown, headers: Record<string, string>) => {
  const response = await fetch(gateway.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const byKey = (path: string, body: unknown, { clinic } = one, headers: Record<string, string> = {}) =>
  post(`/api/retell/${path}`, body, { authorization: `Bearer ${clinic.apiKey}`, ...headers });
const hookOf = ({ providerId }: Account) => `/api/retell/hook/${providerId}`;
/** Signs as Retell does. */
const signed = async (body: unknown, account = one, { secret = account.retellKey, atMs = Date.now() } = {}) => {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  return post(hookOf(account), raw, { "x-retell-signature": await symmetric.sign(raw, secret, atMs) });
};

const callOf = ({ clinic }: Account, callId: string) => clinic.ctx.store.get<CallRow>(keys.call(keys.callKeyOf("retellai", callId)));
const call = (callId: string, more: Partial<Retell.PhoneCallResponse> = {}): Retell.PhoneCallResponse => ({
  call_id: callId,
  call_type: "phone_call",
  call_status: "ongoing",
  agent_id: "agent-1",
  agent_version: 0,
  direction: "inbound",
  from_number: "+14155550101",
  to_number: "+16175550100",
  ...more,
});
const fn = (callId: string, name: string, args: object = {}) => ({ name, call: call(callId), args });
const claim = ({ clinic }: Account) => {
  const { given, family, birthDate, phone } = clinic.sandbox.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};
const verified = (account: Account) => {
  const { firstName } = claim(account);
  return {
    status: 200,
    body: { ok: true, speech: `Thanks, ${firstName}.`, data: { verified: true, level: 1, attemptsLeft: 3, firstName } },
  };
};
const refused = { status: 401, body: { error: "The signature is missing or not valid.", code: "unauthenticated" } };

describe("Retell's custom functions", () => {
  it("run a tool by the tenant's key, with or without an envelope, and keep the identity within a call", async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await byKey("function", fn(first, "verifyPatientIdentity", claim(one)))).toEqual(verified(one));
    expect(await byKey("function/verifyPatientIdentity", fn(second, "check_the_caller", claim(one)))).toEqual(verified(one));
    expect(await byKey("function/verifyPatientIdentity", claim(one), one, { "x-retell-call-id": third })).toEqual(verified(one));
    const { given, family } = one.clinic.sandbox.patients[0]!;
    const known = { status: 200, body: { ok: true, speech: expect.stringContaining(`the record of ${given} ${family}`) } };
    expect(await byKey("function", fn(first, "getPatientInfo"))).toMatchObject(known);
    expect(await byKey("function/getPatientInfo", fn(second, "tell_them"))).toMatchObject(known);
    expect(await byKey("function/getPatientInfo", {}, one, { "x-retell-call-id": third })).toMatchObject(known);
  });

  it("run a tool by Retell's signature, and share the call with requests by the tenant's key", async () => {
    const callId = randomUUID();
    expect(await signed(fn(callId, "verifyPatientIdentity", claim(one)))).toEqual(verified(one));
    expect(await byKey("function", fn(callId, "getPatientInfo"))).toMatchObject({ body: { ok: true } });
  });

  it("with the same call id in two tenants are two calls", async () => {
    const callId = randomUUID();
    expect(await signed(fn(callId, "verifyPatientIdentity", claim(one)))).toEqual(verified(one));
    for (const other of [await signed(fn(callId, "getPatientInfo"), two), await byKey("function", fn(callId, "getPatientInfo"), two)])
      expect(other).toMatchObject({
        status: 200,
        body: { ok: false, error: expect.stringContaining("I need to verify who I'm speaking with") },
      });
    expect(await signed(fn(randomUUID(), "verifyPatientIdentity", claim(two)), two)).toEqual(verified(two));
  });

  it("without a matching tool are answered with 200 and a sentence", async () => {
    const callId = randomUUID();
    expect(await byKey("function", fn(callId, "orderPizza"))).toEqual({
      status: 200,
      body: { ok: false, error: "That isn't something I can help with on this call." },
    });
    expect(await byKey("function", fn(callId, "scheduleAppointment", { action: "dance" }))).toEqual({
      status: 200,
      body: {
        ok: false,
        error: "Would you like to book, change or cancel an appointment?",
        data: { fields: { action: "one of find, book, list, reschedule, cancel" } },
      },
    });
    const nowhere = { ok: false, error: "I can't tell which call this is, so I can't do that right now." };
    for (const asked of [
      await byKey("function", { name: "verifyPatientIdentity", args: claim(one) }),
      await byKey("function/verifyPatientIdentity", claim(one)),
      await byKey("function/verifyPatientIdentity", claim(one), one, { "x-retell-call-id": "{{call_id}}" }),
    ])
      expect(asked).toEqual({ status: 200, body: nowhere });
  });

  it("book once when Retell sends them again", async () => {
    const callId = randomUUID();
    await signed(fn(callId, "verifyPatientIdentity", claim(one)));
    const found = await signed(fn(callId, "scheduleAppointment", { action: "find" }));
    const { slots } = found.body["data"] as { slots: { slotId: string }[] };
    const booking = fn(callId, "scheduleAppointment", { action: "book", slotId: slots[0]!.slotId });
    const first = await signed(booking);
    expect(first).toMatchObject({ status: 200, body: { ok: true, data: { result: "booked" } } });
    expect(await signed(booking)).toEqual(first);
    expect(await byKey("function", booking)).toEqual(first);
  });

  it("are refused without the tenant's key, with 400 for invalid JSON, and with 413 above 5.75 MiB", async () => {
    expect(await post("/api/retell/function", fn(randomUUID(), "getPatientInfo"), {})).toMatchObject({ status: 401 });
    expect(await byKey("function", '{"name": ')).toMatchObject({ status: 400, body: { code: "invalid_json" } });
    expect(await byKey("function", [])).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    const huge = fn(randomUUID(), "getPatientInfo", { note: "x".repeat(5.75 * 1024 * 1024) });
    expect(await byKey("function", huge)).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

const ended: Partial<Retell.PhoneCallResponse> = {
  call_status: "ended",
  disconnection_reason: "user_hangup",
  start_timestamp: Date.UTC(2026, 2, 1, 10),
  end_timestamp: Date.UTC(2026, 2, 1, 10, 1, 30),
  duration_ms: 90_000,
  transcript: "Agent: Hello.",
  call_cost: { combined_cost: 12.5, total_duration_seconds: 90, total_duration_unit_price: 0.1, product_costs: [] },
};
const life = (callId: string) => [
  { event: "call_started", call: call(callId, { start_timestamp: ended.start_timestamp! }) },
  { event: "transfer_bridged", call: call(callId), transfer_destination: "+14155550123" },
  { event: "call_ended", call: call(callId, ended) },
  { event: "call_analyzed", call: call(callId, { ...ended, call_analysis: { call_summary: "Said hello.", call_successful: true } }) },
];

describe("Retell's webhooks", () => {
  it("are one record of the tenant, in any order and with repetitions", async () => {
    const plain = life(randomUUID());
    for (const webhooks of [plain, life(randomUUID()).toReversed(), [...life(randomUUID()), ...plain]]) {
      const callId = webhooks[0]!.call.call_id;
      for (const webhook of webhooks) expect(await signed(webhook)).toEqual({ status: 200, body: {} });
      expect(await callOf(one, callId)).toMatchObject({
        platform: "retellai",
        status: "completed",
        durationSeconds: 90,
        success: true,
        forwarded: true,
        endedReason: "user_hangup",
        direction: "inbound",
        costAmount: 0.125,
        costCurrency: "USD",
      });
      expect(await callOf(two, callId)).toBeUndefined();
    }
  });

  it("end the identity of the call", async () => {
    const callId = randomUUID();
    await signed(fn(callId, "verifyPatientIdentity", claim(one)));
    await signed(life(callId)[2]);
    expect((await signed(fn(callId, "getPatientInfo"))).body).toEqual({
      ok: false,
      error: "This call has already ended, so nothing more can be done in it.",
    });
  });

  it("that do not concern a call are acknowledged and not stored", async () => {
    const callId = randomUUID();
    for (const event of ["invented_next_year", "chat_started"])
      expect(await signed({ event, call: call(callId) })).toEqual({ status: 200, body: {} });
    expect(await callOf(one, callId)).toBeUndefined();
  });

  it("with a duplicate field are read as signed", async () => {
    const callId = randomUUID();
    const raw = `{"event":"chat_ended","event":"call_ended","call":${JSON.stringify(call(callId, ended))}}`;
    expect(await signed(raw)).toEqual({ status: 200, body: {} });
    expect(await callOf(one, callId)).toMatchObject({ status: "completed" });
  });

  it("are refused with the same answer for every flaw of the signature, and not stored", async () => {
    const callId = randomUUID();
    const body = JSON.stringify({ event: "call_ended", call: call(callId, ended) });
    const minutes = 60_000;
    const signature = await symmetric.sign(body, one.retellKey, Date.now());
    const answers = [
      await post(hookOf(one), body, {}),
      await post(hookOf(one), body, { authorization: `Bearer ${one.clinic.apiKey}` }),
      await post(hookOf(one), body, { "x-retell-signature": "v=,d=" }),
      await post(hookOf(one), body.replace("user_hangup", "user_hangUp"), { "x-retell-signature": signature }),
      await post(hookOf(two), body, { "x-retell-signature": signature }),
      await post(hookOf(one).replace("retell", "vapi"), body, { "x-retell-signature": signature }),
      await post(`/api/retell/hook/${"0".repeat(26)}`, body, { "x-retell-signature": signature }),
      await signed(body, one, { secret: two.retellKey }),
      await signed(body, one, { atMs: Date.now() - 6 * minutes }),
      await signed(body, one, { atMs: Date.now() + 6 * minutes }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refused);
    expect([await callOf(one, callId), await callOf(two, callId)]).toEqual([undefined, undefined]);
    expect(await post(hookOf(one), body, { "x-retell-signature": signature })).toEqual({ status: 200, body: {} });
  });

  it("are verified with the webhook secret if one was entered, and refused while the provider is inactive", async () => {
    const account = await connect(two.clinic, "own-webhook-secret");
    const callId = randomUUID();
    const webhook = { event: "call_ended", call: call(callId, ended) };
    expect(await signed(webhook, account)).toMatchObject(refused);
    expect(await signed(webhook, account, { secret: "own-webhook-secret" })).toEqual({ status: 200, body: {} });
    expect(await callOf(two, callId)).toMatchObject({ status: "completed" });
    await updateVoiceProvider(two.clinic.ctx, account.providerId, ChangedVoiceProvider.parse({ isActive: false }), undefined);
    expect(await signed(webhook, account, { secret: "own-webhook-secret" })).toMatchObject(refused);
  });

  it("are logged without the conversation", async () => {
    const callId = randomUUID();
    const { firstName, lastName, dateOfBirth, phoneNumber } = claim(one);
    const told = { transcript: `User: I am ${firstName} ${lastName}.`, from_number: phoneNumber, disconnection_reason: undefined };
    await signed(fn(callId, "verifyPatientIdentity", claim(one)));
    await signed(fn(callId, lastName));
    await signed({ event: lastName, call: call(callId) });
    await signed({
      event: "call_analyzed",
      call: call(callId, { ...ended, ...told, call_analysis: { call_summary: `${lastName}, born ${dateOfBirth}` } }),
    });
    await byKey("function", `{"patient": "${lastName}"`);
    expect(printed.split("\n").filter((line) => line.includes('"event":"request.answered"'))).toHaveLength(5);
    for (const secret of [lastName, dateOfBirth, phoneNumber, one.clinic.apiKey, one.retellKey, one.clinic.sandbox.patients[0]!.id])
      expect(printed).not.toContain(secret);
  });
});

describe("an incoming Retell call", () => {
  const asked = { event: "call_inbound", call_inbound: { from_number: "+14155550101", to_number: "+16175550100" } };

  it("is answered by the tenant's own agent, and not answered if the tenant has none", async () => {
    const agent = NewVoiceAgent.parse({ voiceProviderId: one.providerId, externalAgentId: "agent-of-one", agentName: "Receptionist" });
    await assignVoiceAgent(one.clinic.ctx, undefined, agent);
    expect(await signed(asked)).toEqual({
      status: 200,
      body: {
        call_inbound: {
          override_agent_id: "agent-of-one",
          dynamic_variables: { tenant_name: "One" },
          agent_override: { agent: { voice_id: "11labs-Grace" } },
        },
      },
    });
    expect(await signed(asked, two)).toEqual({ status: 200, body: { call_inbound: {} } });
  });
});
