import { VoiceProviderType, type VoiceAgent, type VoiceProvider } from "@vitaline/contract";
import { faultyKeys, prompt, vendorMessage, type SandboxVoice } from "@vitaline/sandbox-voice";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRows } from "../../kit/store/table.ts";
import type { Answer, Asking, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

const apiKey = "private-platform-key-2468";
const webhookSecret = "signing-secret-1357";
const unknownId = "0".repeat(26);

let it: TestPlatform;
let platforms: SandboxVoice;
let admin: string;
let one: { id: string; name: string; officeId: string; adminToken: string };
let two: typeof one;
const seen: string[] = [];
let counter = 0;

const ask = async <T = Json>(method: string, path: string, body?: unknown, more: Asking = {}): Promise<Answer<T>> => {
  const answer = await it.api<T>(method, path, { token: admin, ...(body === undefined ? {} : { body }), ...more });
  seen.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
};
const providersOf = (tenantId: string) => `/api/admin/tenants/${tenantId}/voice-providers`;
const agentsOf = (tenantId: string) => `/api/admin/tenants/${tenantId}/voice-agents`;
const officeAgentsOf = (officeId: string) => `/api/admin/offices/${officeId}/voice-agents`;
const newProvider = (providerType: string, more: object = {}, config: object = {}) => ({
  providerType,
  providerName: `Desk ${(counter += 1)}`,
  config: { apiKey, baseUrl: platforms.baseUrl(VoiceProviderType.parse(providerType)), settings: {}, ...config },
  isDefault: false,
  isActive: true,
  ...more,
});
const addProvider = async (tenantId: string, ...how: Parameters<typeof newProvider>): Promise<VoiceProvider> => {
  const { status, json, text } = await ask<VoiceProvider>("POST", providersOf(tenantId), newProvider(...how));
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json;
};
const newAgent = (voiceProviderId: string, more: object = {}) => {
  const externalAgentId = `asst-${(counter += 1)}`;
  return {
    voiceProviderId,
    externalAgentId,
    agentName: "Reception",
    agentData: { id: externalAgentId, name: "Reception", prompt },
    isActive: true,
    ...more,
  };
};

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  platforms = it.platform.voice;
  admin = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const tenants = await Promise.all(
    it.demo.tenants.slice(0, 2).map(async ({ id, name, offices, admin: { email, password } }) => ({
      id,
      name,
      officeId: offices[0]?.id ?? "",
      adminToken: await it.tokenOf(email, password),
    })),
  );
  [one, two] = tenants as [typeof one, typeof two];
});
afterAll(async () => {
  await it?.close();
});

test("a provider that another administrator has changed meanwhile is not overwritten", async () => {
  const made = await ask<VoiceProvider>("POST", providersOf(one.id), newProvider("vapi", { webhookSecret }));
  expect(made.headers.get("etag")).toBe('"1"');
  expect(made.json.config).toMatchObject({ hasWebhookSecret: true, apiKeyLast4: "2468" });
  const path = `${providersOf(one.id)}/${made.json.id}`;
  const body = { providerName: "Renamed", config: { apiKey: "", model: "m" }, isDefault: false, isActive: true };
  const change = () => ask("PUT", path, body, { headers: { "if-match": '"1"' } });
  expect(await change()).toMatchObject({ status: 200, json: { version: 2 } });
  expect(await change()).toMatchObject({ status: 409, json: { code: "stale_version" } });
});

test("a provider's signing secret can be replaced", async () => {
  const made = await ask<VoiceProvider>("POST", providersOf(one.id), newProvider("vapi", { webhookSecret }));
  const path = `${providersOf(one.id)}/${made.json.id}`;
  const body = { providerName: "Vapi", config: { apiKey: "", model: "m" }, isDefault: false, isActive: true };
  for (const next of ["signing-secret-2468", "signing-secret-3579"])
    expect((await ask("PUT", path, { ...body, webhookSecret: next })).status).toBe(200);
});

test("errors in a provider's form are listed by field", async () => {
  const { id } = await addProvider(one.id, "vapi");
  const refusals: [string, string, object, Json][] = [
    ["POST", "", newProvider("vapi", {}, { apiKey: "" }), { error: "API key is required" }],
    ["POST", "", newProvider("vapi", {}, { baseUrl: "http://169.254.169.254" }), { fields: { "config.baseUrl": expect.any(String) } }],
    ["POST", "", newProvider("vapi", { surprise: 1 }), { fields: { surprise: expect.any(String) } }],
    ["PUT", `/${id}`, { providerType: "openai" }, { fields: { providerType: "Cannot change" } }],
    ["PUT", `/${id}`, { config: { baseUrl: "nowhere" } }, { fields: { "config.baseUrl": "Must be a valid URL" } }],
  ];
  for (const [method, tail, body, wanted] of refusals)
    expect(await ask(method, providersOf(one.id) + tail, body)).toMatchObject({ status: 400, json: wanted });
});

test("a platform's list is cut after a thousand, and says so", async () => {
  const { id } = await addProvider(one.id, "retellai");
  platforms.agents = 1200;
  const { json, headers } = await ask<Json[]>("GET", `/api/admin/voice-providers/${id}/agents`);
  platforms.agents = 3;
  expect([json.length, headers.get("vitaline-incomplete")]).toEqual([1000, "true"]);
});

test("refusals, rate limits, failures and invalid answers of a platform get different messages in our words", async () => {
  const told: Partial<Record<keyof typeof faultyKeys, [number, string]>> = {
    refused: [422, "voice_platform_auth"],
    limited: [503, "voice_platform_rate_limited"],
    failing: [503, "voice_platform_unavailable"],
    slow: [503, "voice_platform_unavailable"],
    html: [422, "voice_platform_invalid"],
    broken: [422, "voice_platform_invalid"],
    huge: [422, "voice_platform_invalid"],
  };
  await Promise.all(
    Object.entries(told).map(async ([fault, [status, code]], index) => {
      const type = VoiceProviderType.options[index % 4] ?? "vapi";
      const { id } = await addProvider(one.id, type, {}, { apiKey: faultyKeys[fault as keyof typeof faultyKeys] });
      const answer = await ask("GET", `/api/admin/voice-providers/${id}/agents`);
      expect([fault, answer.status, answer.json.code]).toEqual([fault, status, code]);
      expect(answer.headers.get("retry-after")).toBe(fault === "limited" ? "17" : null);
    }),
  );
});

test("an inactive provider lists no agents and gets no assignment", async () => {
  const { id } = await addProvider(one.id, "vapi", { isActive: false });
  platforms.asked.length = 0;
  expect(await ask("GET", `/api/admin/voice-providers/${id}/agents`)).toMatchObject({ status: 422, json: { code: "not_doable" } });
  expect(platforms.asked).toEqual([]);
  expect(await ask("POST", agentsOf(one.id), newAgent(id))).toMatchObject({ status: 422, json: { code: "not_doable" } });
});

test("a provider is deleted when it is inactive and no agent uses it; then it is in no list, and its webhook address is as any unknown one", async () => {
  const provider = await addProvider(one.id, "vapi", { webhookSecret, isDefault: false });
  const path = `${providersOf(one.id)}/${provider.id}`;
  const agent = (await ask<VoiceAgent>("POST", officeAgentsOf(one.officeId), newAgent(provider.id))).json;
  expect(await ask("DELETE", path)).toMatchObject({
    status: 422,
    json: { code: "not_doable", error: "Voice agents still use this provider: 1 of its offices. Please remove them first." },
  });
  expect((await ask("DELETE", `${agentsOf(one.id)}/${agent.id}`)).status).toBe(204);
  expect(await ask("DELETE", path)).toMatchObject({
    status: 422,
    json: { error: expect.stringContaining("deactivate it first") as string },
  });
  expect((await ask("PUT", path, { isActive: false })).json).toMatchObject({ version: 2 });
  expect(await ask("DELETE", path, undefined, { headers: { "if-match": '"1"' } })).toMatchObject({ status: 409 });
  expect((await ask("DELETE", `${providersOf(two.id)}/${provider.id}`)).status).toBe(404);
  expect(await ask("DELETE", path, undefined, { headers: { "if-match": '"2"' } })).toMatchObject({ status: 204, text: "" });
  expect((await ask("DELETE", path)).status).toBe(404);

  const listed = await Promise.all([providersOf(one.id), "/api/admin/voice-providers"].map((list) => ask<Json[]>("GET", list)));
  for (const { json } of listed) expect(json.map(({ id }: Json) => id)).not.toContain(provider.id);
  expect((await ask("GET", `/api/admin/voice-providers/${provider.id}/agents`)).status).toBe(404);
  expect((await ask("POST", agentsOf(one.id), newAgent(provider.id))).status).toBe(404);
  const hook = async (id: string) => {
    const { status, json } = await it.api("POST", `/api/vapi/hook/${id}`, { body: { message: { type: "hang" } } });
    return [status, json.error, json.code];
  };
  expect(await hook(provider.id)).toEqual(await hook(unknownId));
});

test("of several providers made the default at once a tenant keeps one, and the other requests get a conflict", async () => {
  const defaults = async () => (await ask<VoiceProvider[]>("GET", providersOf(two.id))).json.filter(({ isDefault }) => isDefault);
  const body = (type: string) => newProvider(type, { isDefault: true });
  const made = await Promise.all(["vapi", "retellai", "openai"].map((type) => ask("POST", providersOf(two.id), body(type))));
  expect(made.map(({ status }) => status)).toContain(201);
  expect([201, 409]).toEqual(expect.arrayContaining(made.map(({ status }) => status)));
  expect(await defaults()).toHaveLength(1);
  const others = await Promise.all(["vapi", "retellai"].map((type) => addProvider(two.id, type)));
  const named = await Promise.all(others.map(({ id }) => ask("PUT", `${providersOf(two.id)}/${id}`, { isDefault: true })));
  expect(named.map(({ status }) => status)).toContain(200);
  expect([200, 409]).toEqual(expect.arrayContaining(named.map(({ status }) => status)));
  expect(await defaults()).toHaveLength(1);
});

test("an assignment is updated and deleted by either path, and its agent is then free", async () => {
  const provider = await addProvider(one.id, "vapi");
  for (const path of [agentsOf(one.id), officeAgentsOf(one.officeId)]) {
    const body = newAgent(provider.id);
    const { id, version } = (await ask<VoiceAgent>("POST", officeAgentsOf(one.officeId), body)).json;
    const off = await ask("PUT", `${path}/${id}`, { isActive: false }, { headers: { "if-match": `"${version}"` } });
    expect(off).toMatchObject({ status: 200, json: { id, isActive: false, version: version + 1 } });
    expect(await ask("PUT", `${path}/${id}`, { isActive: true, agentName: "Other" })).toMatchObject({ status: 400 });
    expect(await ask("POST", agentsOf(one.id), body)).toMatchObject({ status: 409, json: { code: "duplicate" } });
    expect(await ask("DELETE", `${path}/${id}`)).toMatchObject({ status: 204, text: "" });
    expect(await ask("DELETE", `${path}/${id}`)).toMatchObject({ status: 404 });
    expect(await ask("POST", agentsOf(one.id), body)).toMatchObject({ status: 201 });
  }
});

test("of several assignments of one agent at once one is made, and the others get a conflict", async () => {
  const { id } = await addProvider(one.id, "vapi");
  const body = newAgent(id);
  const answers = await Promise.all([1, 2, 3, 4].map((n) => ask("POST", n % 2 ? agentsOf(one.id) : officeAgentsOf(one.officeId), body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test("another tenant's provider, office or assignment, in path or body, answers like an unknown one", async () => {
  const [mine, theirs] = [await addProvider(one.id, "vapi"), await addProvider(two.id, "vapi")];
  const agent = (await ask<VoiceAgent>("POST", officeAgentsOf(one.officeId), newAgent(mine.id))).json;
  const asked: [string, string, unknown?][] = [
    ["GET", providersOf(unknownId)],
    ["POST", providersOf(unknownId), newProvider("vapi")],
    ["PUT", `${providersOf(two.id)}/${mine.id}`, { isActive: false }],
    ["PUT", `${providersOf(one.id)}/${unknownId}`, { isActive: false }],
    ["DELETE", `${providersOf(two.id)}/${mine.id}`],
    ["DELETE", `${providersOf(one.id)}/${unknownId}`],
    ["GET", `/api/admin/voice-providers/${unknownId}/agents`],
    ["GET", `/api/admin/voice-providers/${one.officeId}/agents`],
    ["GET", agentsOf(unknownId)],
    ["GET", officeAgentsOf(unknownId)],
    ["GET", officeAgentsOf(mine.id)],
    ["POST", agentsOf(one.id), newAgent(theirs.id)],
    ["POST", officeAgentsOf(one.officeId), newAgent(theirs.id)],
    ["POST", officeAgentsOf(two.officeId), newAgent(mine.id)],
    ["POST", officeAgentsOf(unknownId), newAgent(mine.id)],
    ["PUT", `${agentsOf(two.id)}/${agent.id}`, { isActive: false }],
    ["PUT", `${officeAgentsOf(two.officeId)}/${agent.id}`, { isActive: false }],
    ["DELETE", `${agentsOf(two.id)}/${agent.id}`],
    ["DELETE", `${officeAgentsOf(two.officeId)}/${agent.id}`],
    ["DELETE", `${agentsOf(one.id)}/${unknownId}`],
  ];
  const sentences = new Set<string>();
  for (const [method, path, body] of asked) {
    const { status, json } = await ask(method, path, body);
    expect([method, path, status]).toEqual([method, path, 404]);
    sentences.add(json.error);
  }
  expect(sentences.size).toBe(1);
  expect((await ask<VoiceAgent[]>("GET", officeAgentsOf(one.officeId))).json).toContainEqual(agent);
});

test("all of it is for system administrators alone", async () => {
  const { id } = await addProvider(one.id, "vapi");
  const paths = [
    providersOf(one.id),
    agentsOf(one.id),
    officeAgentsOf(one.officeId),
    `/api/admin/voice-providers/${id}/agents`,
    "/api/admin/voice-providers",
    "/api/admin/voice-agents",
  ];
  for (const path of paths) {
    expect([path, (await it.api("GET", path, { token: one.adminToken })).status]).toEqual([path, 403]);
    expect([path, (await it.api("GET", path)).status]).toEqual([path, 401]);
  }
});

test("D2.7-013 D2.7-019 the console's lists over all tenants name the tenant of each, newest first, page by page", async () => {
  const provider = await addProvider(two.id, "elevenlabs");
  const agent = (await ask<VoiceAgent>("POST", officeAgentsOf(two.officeId), newAgent(provider.id))).json;
  for (const [path, newest] of [
    ["/api/admin/voice-providers", provider],
    ["/api/admin/voice-agents", agent],
  ] as const) {
    const all = await readAll(path);
    expect(all[0]).toMatchObject({ id: newest.id, tenantId: two.id, tenantName: two.name, isActive: true });
    expect(await readAll(`${path}?limit=2`)).toEqual(all);
  }
});

async function readAll(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let next: string | undefined = path; next;) {
    const page: Answer<Json[]> = await ask<Json[]>("GET", next);
    rows.push(...page.json);
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  return rows;
}

test("a call of an office's agent belongs to that office, also when the agent was disabled since", async () => {
  const provider = await addProvider(one.id, "vapi");
  const body = newAgent(provider.id);
  const { id } = (await ask<VoiceAgent>("POST", officeAgentsOf(one.officeId), body)).json;
  const report = async (callId: string, message: object) => {
    const call = { id: callId, assistantId: body.externalAgentId };
    const tenant = it.demo.tenants.find((each) => each.id === one.id);
    expect(await it.api("POST", "/api/vapi/server", { key: tenant?.apiKey, body: { message: { call, ...message } } })).toMatchObject({
      status: 200,
    });
    return (await readRows(it.dataDir, `TENANT#${one.id}#CALL#`)).find((row) => row["sk"] === "CALL" && row["platformCallId"] === callId)?.[
      "officeId"
    ];
  };
  expect(await report("office-call-1", { type: "status-update", status: "in-progress" })).toBe(one.officeId);
  await ask("PUT", `${agentsOf(one.id)}/${id}`, { isActive: false });
  expect(await report("office-call-1", { type: "end-of-call-report", endedReason: "customer-ended-call" })).toBe(one.officeId);
  expect(await report("office-call-2", { type: "status-update", status: "in-progress" })).toBeUndefined();
});

test("no answer and no log line contains a key, a webhook secret, a prompt or a platform's own words", () => {
  const everything = [...seen, it.logText()].join("\n");
  expect(everything.length).toBeGreaterThan(10_000);
  for (const secret of [apiKey, webhookSecret, "another-key-0000", prompt, vendorMessage, ...Object.values(faultyKeys)])
    expect([secret, everything.includes(secret)]).toEqual([secret, false]);
});
