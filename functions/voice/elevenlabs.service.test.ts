import { createHmac, randomUUID } from "node:crypto";
import type { GetConversationResponseModel } from "@elevenlabs/elevenlabs-js/serialization/types/GetConversationResponseModel.js";
import { ChangedVoiceProvider, NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { keys, type CallRow } from "@vitaline/store";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";
import { openGateway, type Gateway } from "./gateway.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

type Account = { clinic: Clinic; providerId: string; secret: string };
type Conversation = GetConversationResponseModel.Raw;

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

async function connect(clinic: Clinic): Promise<Account> {
  const secret = `wsec_${randomUUID()}`;
  const config = { apiKey: `sk_${randomUUID()}`, model: "gpt-4o", voice: "voice_1", settings: { allowOverrides: true } };
  const typed = { providerType: "elevenlabs", providerName: "ElevenLabs", config, webhookSecret: secret };
  const { id } = await createVoiceProvider(clinic.ctx, NewVoiceProvider.parse(typed));
  return { clinic, providerId: id, secret };
}

const post = async (path: string, body: unknown, headers: Record<string, string>) => {
  const response = await fetch(gateway.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
/** As an agent configured with the snippets. */
const use = (conversationId: string, tool: string, args: unknown = {}, { clinic } = one, headers: Record<string, string> = {}) =>
  post(`/api/elevenlabs/tool/${tool}`, args, {
    authorization: `Bearer ${clinic.apiKey}`,
    "x-conversation-id": conversationId,
    "x-caller-id": "+16175550142",
    "x-agent-id": "agent_1",
    "x-called-number": "+16175550100",
    ...headers,
  });
const hookOf = ({ providerId }: Account) => `/api/elevenlabs/hook/${providerId}`;
const signature = (raw: string, secret: string, seconds = Math.floor(Date.now() / 1000)) =>
  `t=${seconds},v0=${createHmac("sha256", secret).update(`${seconds}.${raw}`).digest("hex")}`;
const signed = (body: unknown, account = one, { secret = account.secret, agoSeconds = 0 } = {}) => {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const header = signature(raw, secret, Math.floor(Date.now() / 1000) - agoSeconds);
  return post(hookOf(account), raw, { "elevenlabs-signature": header });
};
const callOf = ({ clinic }: Account, callId: string) => clinic.ctx.store.get<CallRow>(keys.call(keys.callKeyOf("elevenlabs", callId)));
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

describe("ElevenLabs' webhook tools", () => {
  it("run by the tenant's key, and keep the identity within a conversation", async () => {
    const conversationId = `conv_${randomUUID()}`;
    expect(await use(conversationId, "verifyPatientIdentity", claim(one))).toEqual(verified(one));
    const { given, family } = one.clinic.sandbox.patients[0]!;
    expect(await use(conversationId, "getPatientInfo")).toMatchObject({
      status: 200,
      body: { ok: true, speech: expect.stringContaining(`the record of ${given} ${family}`) },
    });
  });

  it("with the same conversation id in two tenants are two conversations, and so are two ids in one tenant", async () => {
    const conversationId = `conv_${randomUUID()}`;
    await use(conversationId, "verifyPatientIdentity", claim(one));
    for (const other of [await use(conversationId, "getPatientInfo", {}, two), await use(`conv_${randomUUID()}`, "getPatientInfo")])
      expect(other).toEqual({ status: 200, body: { error: expect.stringContaining("I need to verify who I'm speaking with") } });
  });

  it("without a matching tool are answered with 200 and a sentence", async () => {
    const conversationId = `conv_${randomUUID()}`;
    expect(await use(conversationId, "orderPizza")).toEqual({
      status: 200,
      body: { error: "That isn't something I can help with on this call." },
    });
    expect(await use(conversationId, "scheduleAppointment", { action: "dance" })).toEqual({
      status: 200,
      body: {
        error: "Would you like to book, change or cancel an appointment?",
        data: { fields: { action: "one of find, book, list, reschedule, cancel" } },
      },
    });
  });

  it("do not run outside a conversation, or when the header contains a variable's name instead of its value", async () => {
    const nowhere = { status: 200, body: { error: "I can't tell which call this is, so I can't do that right now." } };
    const body = { ...claim(one), conversation_id: `conv_${randomUUID()}` };
    for (const id of ["", "{{system__conversation_id}}", "system__conversation_id", "None"])
      expect(await use(id, "verifyPatientIdentity", body)).toEqual(nowhere);
  });

  it("book once when the model repeats them", async () => {
    const conversationId = `conv_${randomUUID()}`;
    await use(conversationId, "verifyPatientIdentity", claim(one));
    const found = await use(conversationId, "scheduleAppointment", { action: "find" });
    const { slots } = found.body["data"] as { slots: { slotId: string }[] };
    const booking = { action: "book", slotId: slots[0]!.slotId };
    const first = await use(conversationId, "scheduleAppointment", booking);
    expect(first).toMatchObject({ status: 200, body: { ok: true, data: { result: "booked" } } });
    expect(await use(conversationId, "scheduleAppointment", booking)).toEqual(first);
  });

  it("are refused without the tenant's key, with 400 for invalid JSON, and with 413 above 5.75 MiB", async () => {
    const conversationId = `conv_${randomUUID()}`;
    expect(await use(conversationId, "getPatientInfo", {}, one, { authorization: "Bearer none" })).toMatchObject({ status: 401 });
    expect(await use(conversationId, "getPatientInfo", '{"name": ')).toMatchObject({ status: 400, body: { code: "invalid_json" } });
    expect(await use(conversationId, "getPatientInfo", { note: "x".repeat(5.75 * 1024 * 1024) })).toMatchObject({
      status: 413,
      body: { code: "payload_too_large" },
    });
  });
});

const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  agent_id: "agent_1",
  conversation_id: id,
  status: "done",
  has_audio: true,
  has_user_audio: true,
  has_response_audio: true,
  has_auxiliary_audio: false,
  transcript: [{ role: "agent", message: "Hello.", time_in_call_secs: 0 }],
  metadata: {
    start_time_unix_secs: Date.UTC(2026, 2, 1, 10) / 1000,
    call_duration_secs: 90,
    cost_fiat: 0.125,
    termination_reason: "Client disconnected",
  },
  analysis: { call_successful: "success", transcript_summary: "Said hello." },
  ...more,
});
const webhook = (data: object, type = "post_call_transcription") => ({ type, event_timestamp: Math.floor(Date.now() / 1000), data });

describe("ElevenLabs' post-call webhooks", () => {
  it("are one record of the tenant, in any order and with repetitions", async () => {
    const life = (id: string) => [
      webhook(conversation(id, { status: "in-progress", transcript: [] })),
      webhook(conversation(id, { status: "processing" })),
      webhook(conversation(id)),
      webhook({ agent_id: "agent_1", conversation_id: id, full_audio: "SUQz" }, "post_call_audio"),
    ];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 1, 3],
      [1, 2, 0, 2],
      [2, 2, 1, 0],
    ] as const;
    for (const order of orders) {
      const id = `conv_${randomUUID()}`;
      for (const index of order) expect(await signed(life(id)[index])).toEqual({ status: 200, body: {} });
      expect(await callOf(one, id)).toMatchObject({
        platform: "elevenlabs",
        status: "completed",
        durationSeconds: 90,
        startedAt: "2026-03-01T10:00:00.000Z",
        endedAt: "2026-03-01T10:01:30.000Z",
        endedReason: "Client disconnected",
        success: true,
        forwarded: false,
        costAmount: 0.125,
        transcript: { bytes: expect.any(Number) },
      });
      expect(await callOf(two, id)).toBeUndefined();
    }
  });

  it("end the identity of the conversation", async () => {
    const id = `conv_${randomUUID()}`;
    await use(id, "verifyPatientIdentity", claim(one));
    await signed(webhook(conversation(id)));
    expect((await use(id, "getPatientInfo")).body).toEqual({
      error: "This call has already ended, so nothing more can be done in it.",
    });
  });

  it("of a failed call are recorded, too", async () => {
    const id = `conv_${randomUUID()}`;
    const data = { agent_id: "agent_1", conversation_id: id, failure_reason: "busy", metadata: { type: "twilio", body: {} } };
    expect(await signed(webhook(data, "call_initiation_failure"))).toEqual({ status: 200, body: {} });
    expect(await callOf(one, id)).toMatchObject({ status: "no_answer", endedReason: "busy" });
  });

  it("are refused with the same answer for every flaw of the signature, and not stored", async () => {
    const id = `conv_${randomUUID()}`;
    const raw = JSON.stringify(webhook(conversation(id)));
    const good = signature(raw, one.secret);
    const header = { "elevenlabs-signature": good };
    const answers = [
      await post(hookOf(one), raw, {}),
      await post(hookOf(one), raw, { authorization: `Bearer ${one.clinic.apiKey}` }),
      await post(hookOf(one), raw.replace("disconnected", "disconnecteD"), header),
      await post(hookOf(two), raw, header),
      await post(hookOf(one).replace("elevenlabs", "vapi"), raw, header),
      await post(`/api/elevenlabs/hook/${"0".repeat(26)}`, raw, header),
      await signed(raw, one, { secret: two.secret }),
      await signed(raw, one, { agoSeconds: 31 * 60 }),
      await signed(raw, one, { agoSeconds: -6 * 60 }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, body: { error: "The signature is missing or not valid.", code: "unauthenticated" } });
    expect([await callOf(one, id), await callOf(two, id)]).toEqual([undefined, undefined]);
    for (const _twice of [1, 2]) expect(await post(hookOf(one), raw, header)).toEqual({ status: 200, body: {} });
    expect(await callOf(one, id)).toMatchObject({ status: "completed" });
  });

  it("are refused while the provider is inactive", async () => {
    const account = await connect(two.clinic);
    const id = `conv_${randomUUID()}`;
    await updateVoiceProvider(two.clinic.ctx, account.providerId, ChangedVoiceProvider.parse({ isActive: false }), undefined);
    expect(await signed(webhook(conversation(id)), account)).toMatchObject({ status: 401 });
    expect(await callOf(two, id)).toBeUndefined();
  });

  it("are logged without the conversation", async () => {
    const id = `conv_${randomUUID()}`;
    const { firstName, lastName, dateOfBirth, phoneNumber } = claim(one);
    const transcript = [{ role: "user" as const, message: `I am ${firstName} ${lastName}.`, time_in_call_secs: 1 }];
    const analysis = { call_successful: "success" as const, transcript_summary: `${lastName}, born ${dateOfBirth}` };
    await use(id, "verifyPatientIdentity", claim(one), one, { "x-caller-id": phoneNumber });
    await use(id, lastName.replaceAll(/\W/g, ""));
    await signed(webhook(conversation(id, { transcript, analysis })));
    await signed(webhook({ conversation_id: id }, lastName));
    await use(id, "getPatientInfo", `{"patient": "${lastName}"`);
    expect(printed.split("\n").filter((line) => line.includes('"event":"request.answered"'))).toHaveLength(5);
    for (const secret of [lastName, dateOfBirth, phoneNumber, one.clinic.apiKey, one.secret, one.clinic.sandbox.patients[0]!.id])
      expect(printed).not.toContain(secret);
  });
});

describe("an incoming ElevenLabs call", () => {
  const asked = { caller_id: "+16175550142", agent_id: "agent_of_one", called_number: "+16175550100", call_sid: "CA1" };
  const ask = ({ clinic }: Account, body: object = asked) =>
    post("/api/elevenlabs/conversation-initiation", body, { authorization: `Bearer ${clinic.apiKey}` });

  it("starts with the tenant's agent, and is closed if the tenant has none", async () => {
    const agent = NewVoiceAgent.parse({ voiceProviderId: one.providerId, externalAgentId: "agent_of_one", agentName: "Receptionist" });
    await assignVoiceAgent(one.clinic.ctx, undefined, agent);
    expect(await ask(one)).toEqual({
      status: 200,
      body: {
        type: "conversation_initiation_client_data",
        dynamic_variables: { tenant_name: "One", office_name: "One", line_open: true, transfer_number: "" },
        conversation_config_override: { agent: { prompt: { llm: "gpt-4o" } }, tts: { voice_id: "voice_1" } },
      },
    });
    expect(await ask(two)).toEqual({
      status: 200,
      body: {
        type: "conversation_initiation_client_data",
        dynamic_variables: { tenant_name: "", office_name: "", line_open: false, transfer_number: "" },
      },
    });
  });

  it("is answered in two database reads: the key and the agent", async () => {
    town.aws.resetUsage();
    await ask(one);
    const reads = town.aws.usage().filter(({ operation }) => ["GetItem", "BatchGetItem", "Query"].includes(operation));
    expect(reads.map(({ operation }) => operation)).toEqual(["GetItem", "Query"]);
  });
});
