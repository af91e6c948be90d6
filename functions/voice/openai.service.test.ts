import { randomBytes, randomUUID } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readCall } from "@vitaline/calls";
import { createOffice, updateOffice } from "@vitaline/offices";
import { keys, type AuditRow, type CallRow, type CallStateRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { updateTenant } from "@vitaline/tenants";
import { loadTools } from "@vitaline/tools";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";
import { openGateway, type Gateway } from "./gateway.fixture.ts";
import { signedIncoming, startFakeOpenAi, type FakeOpenAi } from "./openai.fixture.ts";

const tools = await loadTools();

vi.setConfig({ testTimeout: 30_000 });

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const apiKey = "sk-openai-of-the-tenant";
const officePhone = "+14155550142";
const numbers = { from: "+16175550123", to: officePhone };

let town: Clinics;
let gateway: Gateway;
let openAi: FakeOpenAi;
let one: Clinic;
let two: Clinic;
let officeId: string;
let providerId: string;
let printed: string;
beforeAll(async () => {
  town = await startClinics();
  [one, two] = town.clinics;
  [gateway, openAi] = [await openGateway(), await startFakeOpenAi()];
  process.env["EGRESS_LOOPBACK_ORIGINS"] += `,${openAi.origin}`;
  providerId = await addProvider(one);
  ({ id: officeId } = await createOffice(one.ctx, { name: "North", phone: officePhone, isActive: true, staffRouting: [] }));
  await assignVoiceAgent(one.ctx, officeId, {
    voiceProviderId: providerId,
    externalAgentId: "gpt-realtime",
    agentName: "Front desk",
    isActive: true,
  });
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await openAi.close();
  await town.close();
});
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
  openAi.requests.length = 0;
});
afterEach(() => {
  openAi.fail();
  vi.restoreAllMocks();
});

const addProvider = async ({ ctx }: Clinic): Promise<string> => {
  const config = { apiKey, baseUrl: openAi.origin, model: "gpt-realtime-2.1", voice: "marin", settings: { instructions: "Be kind." } };
  const input = { providerType: "openai" as const, providerName: "OpenAI", config, webhookSecret: secret, isDefault: true, isActive: true };
  return (await createVoiceProvider(ctx, input)).id;
};
const send = async (callId: string, { to = providerId, at = new Date(), ...more }: { to?: string; at?: Date; called?: string } = {}) => {
  const { body, headers } = signedIncoming(callId, secret, { ...numbers, to: more.called ?? officePhone }, at);
  const response = await fetch(`${gateway.origin}/api/openai/hook/${to}`, { method: "POST", headers, body });
  return response.status;
};
const rowOf = ({ ctx }: Clinic, callId: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("openai", callId)));
const auditsOf = async ({ ctx }: Clinic, callId: string): Promise<AuditRow[]> => {
  const month = new Date().toISOString().slice(0, 7);
  const pages = await Promise.all(
    (["patient_access", "api_call"] as const).map((category) =>
      ctx.store.query<AuditRow>(tenantPartitions.audit(ctx.tenantId, month, category)),
    ),
  );
  return pages.flatMap(({ rows }) => rows).filter(({ callKey }) => callKey === keys.callKeyOf("openai", callId));
};
const accepted = async (callId = openAi.ring()) => {
  expect(await send(callId)).toBe(200);
  const { tools: direct, session } = openAi.requests.findLast(({ verb }) => verb === "accept")?.body ?? {};
  const delegated = session?.delegation?.type === "responses" ? session.delegation.responses.tools : undefined;
  const mcp = (direct ?? delegated)?.find((tool) => tool.type === "mcp") as { server_url?: string; authorization?: string } | undefined;
  const { server_url: url = "", authorization = "" } = mcp ?? {};
  return { callId, url, authorization };
};
type Opened = { url: string; authorization: string };
const withTools = async <T>({ url, authorization }: Opened, work: (client: Client) => Promise<T>, headers = {}): Promise<T> => {
  const client = new Client({ name: "openai-mcp", version: "1.0.0" });
  const requestInit = { headers: { ...headers, authorization: `Bearer ${authorization}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};
const verify = (client: Client, { sandbox }: Clinic) => {
  const { given, family, birthDate, phone } = sandbox.patients[0]!;
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  return client.callTool({ name: "verifyPatientIdentity", arguments: claim });
};
const detailOf = ({ ctx }: Clinic, callId: string) => readCall(ctx, keys.callKeyOf("openai", callId));
const reportEnd = (callId: string, key = one.apiKey, platform = "openai", more: object = {}) =>
  fetch(`${gateway.origin}/api/calls`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      platform,
      callId,
      status: "completed",
      durationSeconds: 61,
      endedReason: "hangup",
      summary: "All said.",
      ...more,
    }),
  });
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const statusAt = async (path: string, authorization: string, body: unknown = initialize): Promise<number> => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${authorization}` };
  return (await fetch(new URL(path, gateway.origin), { method: "POST", headers, body: JSON.stringify(body) })).status;
};

it("an incoming call is accepted for its office; only the address and token in the answer give access to the tools, and all of it is one record", async () => {
  const { callId, url, authorization } = await accepted();
  expect(openAi.requests).toEqual([
    {
      callId,
      verb: "accept",
      authorization: `Bearer ${apiKey}`,
      body: {
        type: "realtime",
        model: "gpt-realtime-2.1",
        instructions: "Be kind.",
        audio: { output: { voice: "marin" } },
        tools: [{ type: "mcp", server_label: "vitaline", server_url: url, authorization, require_approval: "never" }],
      },
    },
  ]);
  expect(url).toBe(`${gateway.origin}/api/mcp/${one.id}/${officeId}`);
  expect(authorization).toMatch(/^vtl_call_/);
  expect(await rowOf(one, callId)).toMatchObject({
    platform: "openai",
    status: "in_progress",
    direction: "inbound",
    officeId,
    agentId: "gpt-realtime",
    platformCallId: callId,
  });

  await withTools({ url, authorization }, async (client) => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([...Object.keys(tools), "endCall"]);
    const verified = (await verify(client, one)).structuredContent;
    expect(verified).toMatchObject({ ok: true, data: { verified: true } });
    expect(verified).not.toHaveProperty("callHandle");
  });
  expect(await auditsOf(one, callId)).toMatchObject([
    { action: "tool.verifyPatientIdentity", actorKind: "voice_provider", actorId: providerId, detail: { platform: "openai", officeId } },
  ]);

  expect((await reportEnd(callId)).status).toBe(200);
  expect(await rowOf(one, callId)).toMatchObject({ status: "completed", durationSeconds: 61, officeId });
  // The identity ended with the call
  await withTools({ url, authorization }, async (client) =>
    expect(await client.callTool({ name: "getPatientInfo", arguments: {} })).toMatchObject({ isError: true }),
  );
  for (const kept of [one.apiKey, apiKey, authorization, secret, numbers.from, officePhone]) expect(printed).not.toContain(kept);
  expect(JSON.stringify(openAi.requests)).not.toContain(one.apiKey);
});

it("a call to a tenant without an agent is rejected and recorded as cancelled", async () => {
  const elsewhere = await addProvider(two);
  const callId = openAi.ring();
  expect(await send(callId, { to: elsewhere })).toBe(200);
  expect(openAi.requests).toMatchObject([{ callId, verb: "reject", body: { status_code: 603 } }]);
  expect(await rowOf(two, callId)).toMatchObject({ status: "cancelled", endedReason: "nobody-answers" });
  expect(await rowOf(one, callId)).toBeUndefined();
});

it("a repeated webhook changes nothing, and a call that ended meanwhile stays ended", async () => {
  const { callId } = await accepted();
  const before = await rowOf(one, callId);
  expect(await send(callId)).toBe(200);
  openAi.fail(400);
  expect(await send(callId)).toBe(200);
  openAi.fail();
  expect(await rowOf(one, callId)).toEqual(before);
  await reportEnd(callId);
  const ended = await rowOf(one, callId);
  expect(await send(callId)).toBe(200);
  expect(await rowOf(one, callId)).toEqual(ended);
});

it("a caller who has already hung up is acknowledged; temporary OpenAI errors are retried", async () => {
  const gone = openAi.ring();
  openAi.hangUp(gone);
  expect(await send(gone)).toBe(200);
  expect(await rowOf(one, gone)).toMatchObject({ status: "cancelled", endedReason: "caller-hung-up" });

  const callId = openAi.ring();
  for (const [status, answered] of [
    [500, 503],
    [429, 503],
    [401, 422],
  ] as const) {
    openAi.fail(status);
    expect([status, await send(callId)]).toEqual([status, answered]);
  }
  openAi.fail();
  expect(await send(callId)).toBe(200);
  expect(await rowOf(one, callId)).toMatchObject({ status: "in_progress" });

  openAi.fail(400);
  expect(await send(openAi.ring())).toBe(422);
});

it("V09: a call that is gone stays as the first webhook left it, however often it is delivered, for its own tenant only", async () => {
  const elsewhere = await addProvider(two);
  for (const [clinic, to] of [
    [one, undefined],
    [two, elsewhere],
  ] as const) {
    const callId = openAi.ring();
    openAi.hangUp(callId);
    expect(await send(callId, to ? { to } : {})).toBe(200);
    const first = await rowOf(clinic, callId);
    expect(first).toMatchObject({ status: "cancelled", endedReason: "caller-hung-up" });
    for (let again = 0; again < 2; again++) expect(await send(callId, to ? { to } : {})).toBe(200);
    expect(await rowOf(clinic, callId)).toMatchObject(first!);
    expect(await rowOf(clinic === one ? two : one, callId)).toBeUndefined();
  }
});

it("a call that OpenAI refuses because of its model or voice is rejected and recorded as failed", async () => {
  openAi.fail(400, "accept");
  const callId = openAi.ring();
  expect(await send(callId)).toBe(200);
  expect(openAi.requests.map(({ verb }) => verb)).toEqual(["accept", "reject"]);
  expect(openAi.requests.at(-1)?.body).toEqual({ status_code: 480 });
  const failed = await detailOf(one, callId);
  expect(failed).toMatchObject({ status: "failed", endedReason: "session-refused", callerNumber: numbers.from });
  openAi.fail();
  expect(await send(callId)).toBe(200);
  expect(await detailOf(one, callId)).toEqual(failed);
});

it("an accepted call that could not be recorded is recorded when OpenAI sends the event again", async () => {
  const callId = openAi.ring();
  town.aws.fault(({ service }) =>
    service === "s3" && openAi.requests.length > 0 ? { status: 500, code: "InternalError", message: "later" } : undefined,
  );
  try {
    expect(await send(callId)).toBe(503);
  } finally {
    town.aws.fault();
  }
  expect(openAi.requests).toMatchObject([{ callId, verb: "accept" }]);
  expect(await rowOf(one, callId)).toMatchObject({ status: "ringing" });
  expect(await send(callId)).toBe(200);
  const callNumbers = { callerNumber: numbers.from, calledNumber: officePhone };
  expect(await detailOf(one, callId)).toMatchObject({ status: "in_progress", ...callNumbers });
});

it("a call's numbers are only in its details, also after its client reported the end without them", async () => {
  const { callId } = await accepted();
  const callNumbers = { callerNumber: numbers.from, calledNumber: officePhone };
  expect(await detailOf(one, callId)).toMatchObject(callNumbers);
  expect(JSON.stringify(await rowOf(one, callId))).not.toMatch(/6175550123|4155550142/);
  await reportEnd(callId);
  expect(await detailOf(one, callId)).toMatchObject({ ...callNumbers, status: "completed", summary: "All said." });
  const gone = openAi.ring();
  openAi.hangUp(gone);
  await send(gone);
  expect(await detailOf(one, gone)).toMatchObject({ ...callNumbers, status: "cancelled" });
});

it("a report for an office of another tenant is refused and not stored", async () => {
  const callId = randomUUID();
  const elsewhere = (await createOffice(two.ctx, { name: "Theirs", isActive: true, staffRouting: [] })).id;
  for (const office of [elsewhere, "0".repeat(26)]) {
    expect((await reportEnd(callId, one.apiKey, "mcp", { officeId: office })).status).toBe(404);
    expect(await one.ctx.store.get(keys.call(keys.callKeyOf("mcp", callId)))).toBeUndefined();
  }
  expect((await reportEnd(callId, one.apiKey, "mcp", { officeId })).status).toBe(200);
  expect(await one.ctx.store.get(keys.call(keys.callKeyOf("mcp", callId)))).toMatchObject({ officeId });
});

it("a signature that is too old, too early, of another secret, over another body or for another tenant's provider is refused before any request to OpenAI", async () => {
  const other = await addProvider(two);
  // The former secret is accepted for an hour; the one before it is not.
  for (const _twice of [1, 2])
    await updateVoiceProvider(two.ctx, other, { webhookSecret: `whsec_${randomBytes(24).toString("base64")}` }, undefined);
  const callId = openAi.ring();
  for (const minutes of [-6, 6]) expect(await send(callId, { at: new Date(Date.now() + minutes * 60_000) })).toBe(401);
  expect(await send(callId, { to: other })).toBe(401);
  expect(await send(callId, { to: "0".repeat(26) })).toBe(401);
  const { body, headers } = signedIncoming(callId, secret, numbers);
  const post = (sent: string, with_: object) =>
    fetch(`${gateway.origin}/api/openai/hook/${providerId}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...with_ },
      body: sent,
    });
  expect((await post(body.replace(callId, callId.replace(/.$/, "x")), headers)).status).toBe(401);
  expect((await post(body, {})).status).toBe(401);
  expect((await post(body, { ...headers, "webhook-id": "evt_other" })).status).toBe(401);
  expect(openAi.requests).toEqual([]);
  expect(await rowOf(one, callId)).toBeUndefined();
});

it("events that are not about a call to answer are acknowledged", async () => {
  const { headers } = signedIncoming("x", secret, numbers);
  for (const event of [
    { type: "response.completed", data: { id: "r" } },
    { type: "live.transport.unheard_of", data: { session_id: "live_1" } },
    { type: "live.transport.incoming", data: {} },
    {},
  ]) {
    const body = JSON.stringify(event);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const signature = new Webhook(secret).sign(headers["webhook-id"], at, body);
    const sent = { method: "POST", headers: { ...headers, "webhook-signature": signature }, body };
    expect((await fetch(`${gateway.origin}/api/openai/hook/${providerId}`, sent)).status).toBe(200);
  }
  expect(openAi.requests).toEqual([]);
});

it("a call token is valid only for its own office's tools and its own call", async () => {
  const { callId, url, authorization } = await accepted();
  const [path, ownTenant] = [new URL(url).pathname, `/api/mcp/${one.id}`];
  const { id: other } = await createOffice(one.ctx, { name: "South", isActive: true, staffRouting: [] });
  expect(await statusAt(path, authorization)).toBe(200);
  for (const elsewhere of [ownTenant, `${ownTenant}/${other}`, `/api/mcp/${two.id}`, `/api/mcp/${two.id}/${officeId}`])
    expect([elsewhere, await statusAt(elsewhere, authorization)]).toEqual([elsewhere, 404]);
  const toolCalls = { message: { type: "tool-calls", call: { id: callId }, toolCallList: [] } };
  for (const [closed, body] of [
    ["/api/vapi/tool-call", toolCalls],
    ["/api/calls", { platform: "openai", callId }],
  ] as const)
    expect([closed, await statusAt(closed, authorization, body)]).toEqual([closed, 401]);
  expect(await statusAt(path, `${authorization.slice(0, -1)}${authorization.endsWith("A") ? "B" : "A"}`)).toBe(401);

  const misleading = { "x-call-id": randomUUID(), "x-conversation-id": randomUUID() };
  await withTools({ url, authorization }, (client) => verify(client, one), misleading);
  const state = (platform: string, id: string) => one.ctx.store.get<CallStateRow>(keys.callState(keys.callKeyOf(platform, id)));
  expect(await state("openai", callId)).toMatchObject({ level: 1 });
  expect(await state("vapi", misleading["x-call-id"])).toBeUndefined();
});

it("a token becomes invalid with its office, its voice provider or its tenant, for the list of tools too", async () => {
  const opened = await accepted();
  const path = new URL(opened.url).pathname;
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect(await statusAt(path, opened.authorization, list)).toBe(200);
  const office = { name: "North", phone: officePhone };
  await updateOffice(one.ctx, officeId, { ...office, isActive: false }, undefined);
  expect(await statusAt(path, opened.authorization, list)).toBe(404);
  await updateOffice(one.ctx, officeId, { ...office, isActive: true }, undefined);
  await updateVoiceProvider(one.ctx, providerId, { isActive: false }, undefined);
  expect(await statusAt(path, opened.authorization, list)).toBe(401);
  expect(await send(openAi.ring())).toBe(401);
  await updateVoiceProvider(one.ctx, providerId, { isActive: true }, undefined);
  expect(await statusAt(path, opened.authorization, list)).toBe(200);
  const tenant = { name: "One", organizationType: "clinic" as const, contactEmail: "office@clinic.example" };
  await updateTenant(town.aws.platform(), one.id, { ...tenant, isActive: false }, undefined);
  expect(await statusAt(path, opened.authorization, list)).toBe(403);
  await updateTenant(town.aws.platform(), one.id, { ...tenant, isActive: true }, undefined);
});

const always = {
  timezone: "UTC",
  days: Object.fromEntries(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, { start: "00:00", end: "24:00" }]),
  ),
};
type Spoken = { ok: boolean; speech: string; data?: { outcome: string; destinations: { label: string; phone: string }[] } };

describe("V03: our side transfers and ends a call that OpenAI leaves to us", () => {
  const desks = [
    { label: "Front desk", phone: "(617) 555-0123", reasons: [] },
    { label: "Nurse", phone: "617 555 0124", reasons: [] },
  ];
  const toPerson = { reason: "wants a person", outcome: "transferred" };
  const use = (opened: Opened, name: string, args: object = {}) =>
    withTools(opened, async (client) => {
      const { structuredContent } = await client.callTool({ name, arguments: { ...args } });
      return structuredContent as Spoken;
    });
  const controls = () => openAi.requests.filter(({ verb }) => verb === "refer" || verb === "hangup");
  const audited = async (callId: string) =>
    (await auditsOf(one, callId))
      .filter(({ action }) => ["call.transfer", "call.hangUp"].includes(action))
      .map(({ action, success, code }) => ({ action, success, code }));
  /** The time for the sentence before a transfer. Only counted here. */
  const sentenceMs = 3000;
  const sleep = timers.setTimeout;
  let sentences = 0;
  const setSleep = (next: typeof sleep): void => {
    timers.setTimeout = next;
    syncBuiltinESMExports();
  };
  beforeAll(async () => {
    setSleep((ms, value, options) => {
      if (ms !== sentenceMs) return sleep(ms, value, options);
      sentences += 1;
      return sleep(0, value, options);
    });
    await updateOffice(
      one.ctx,
      officeId,
      { name: "North", phone: officePhone, isActive: true, businessHours: always, staffRouting: desks } as never,
      undefined,
    );
  });
  beforeEach(() => void (sentences = 0));
  afterAll(() => setSleep(sleep));
  afterAll(() => updateOffice(one.ctx, officeId, { name: "North", phone: officePhone, isActive: true, staffRouting: [] }, undefined));

  it.each(["realtime", "live"] as const)(
    "a %s call is put through to the first destination on duty, with the provider's key",
    async (api) => {
      const opened = await accepted(openAi.ring(api));
      const answer = await use(opened, "logRoutingEvent", toPerson);
      expect(answer).toMatchObject({ ok: true, speech: "One moment, I'm connecting you with the front desk." });
      expect(controls()).toMatchObject([
        { callId: opened.callId, verb: "refer", authorization: `Bearer ${apiKey}`, body: { target_uri: "tel:+16175550123" } },
      ]);
      expect(await detailOf(one, opened.callId)).toMatchObject({ forwarded: true, forwardedTo: "+16175550123" });
      expect(sentences).toBe(1);
      expect(await audited(opened.callId)).toEqual([{ action: "call.transfer", success: true, code: undefined }]);
      expect(await rowOf(two, opened.callId)).toBeUndefined();
    },
  );

  it("a number that OpenAI refuses is followed by the next", async () => {
    const opened = await accepted();
    openAi.fail(400, "refer");
    await use(opened, "logRoutingEvent", toPerson);
    expect(controls().map(({ body }) => body.target_uri)).toEqual(["tel:+16175550123", "tel:+16175550124"]);
  });

  it("with a bad key the caller gets our sentence, the failure is audited and logged, and the call is not recorded as put through", async () => {
    const opened = await accepted();
    openAi.fail(401, "refer");
    const answer = await use(opened, "logRoutingEvent", toPerson);
    expect(answer.speech).toBe(
      "I can't put you through at the moment. May I have your name and number, so that the office can call you back?",
    );
    expect(answer.data).toMatchObject({ outcome: "callback", destinations: [] });
    expect(await rowOf(one, opened.callId)).toMatchObject({ status: "in_progress", forwarded: false });
    expect(await audited(opened.callId)).toEqual([{ action: "call.transfer", success: false, code: "voice_platform_auth" }]);
    expect(printed).toContain("openai.call_control_failed");
    for (const kept of [apiKey, numbers.from, "6175550123"]) expect(printed).not.toContain(kept);
  });

  it("an accepted call is greeted over its own connection; a call that cannot be is answered and recorded all the same", async () => {
    const { callId } = await accepted();
    expect(openAi.greetings.filter((one) => one.callId === callId)).toEqual([
      { callId, authorization: `Bearer ${apiKey}`, message: { type: "response.create" } },
    ]);
    openAi.mute(true);
    const silent = await accepted();
    openAi.mute(false);
    expect(printed).toContain("openai.not_greeted");
    expect(printed).not.toContain(apiKey);
    expect(await rowOf(one, silent.callId)).toMatchObject({ status: "in_progress" });
    expect(openAi.greetings.map((one) => one.callId)).not.toContain(silent.callId);
  });

  it("after the agent's goodbye the call is hung up and recorded as ended, and its identity with it", async () => {
    const opened = await accepted();
    expect(await use(opened, "endCall")).toMatchObject({ ok: true });
    expect(controls()).toMatchObject([{ callId: opened.callId, verb: "hangup", authorization: `Bearer ${apiKey}`, body: {} }]);
    expect(await rowOf(one, opened.callId)).toMatchObject({ status: "completed", endedReason: "assistant-ended-call" });
    expect(sentences).toBe(1);
    expect(await audited(opened.callId)).toEqual([{ action: "call.hangUp", success: true, code: undefined }]);
    expect(await use(opened, "getPatientInfo")).toMatchObject({ ok: false });
  });

  it("an emergency in the arguments of endCall gets its line, and the call is not hung up", async () => {
    const opened = await accepted();
    const answer = await use(opened, "endCall", { reason: "I have crushing chest pain" });
    expect(answer.speech).toContain("911");
    expect(controls()).toEqual([]);
  });

  it("with the tenant's key, or for an outcome without a transfer, no command is sent and endCall is no tool", async () => {
    const opened = await accepted();
    await use(opened, "logRoutingEvent", { reason: "billing", outcome: "resolved" });
    const byKey = { url: opened.url, authorization: one.apiKey };
    await use(byKey, "logRoutingEvent", toPerson);
    await withTools(byKey, async (client) => {
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("endCall");
      await expect(client.callTool({ name: "endCall", arguments: {} })).rejects.toThrow("no such tool");
    });
    expect(controls()).toEqual([]);
  });

  it("live.transport.incoming is answered through the Live API, with our tools for its backend", async () => {
    const { callId, url } = await accepted(openAi.ring("live"));
    const [{ body } = { body: undefined }] = openAi.requests;
    expect(body).toMatchObject({
      session: {
        type: "live",
        model: "gpt-live-1",
        audio: { output: { voice: "marin" } },
        delegation: { type: "responses", responses: { tools: [{ type: "mcp", server_url: url, require_approval: "never" }] } },
      },
    });
    expect(await rowOf(one, callId)).toMatchObject({ status: "in_progress", officeId, platformCallId: callId });
  });
});
