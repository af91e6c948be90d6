import { randomUUID } from "node:crypto";
import type { SandboxVoice } from "@vitaline/sandbox-voice";
import { afterAll, beforeAll, expect } from "vitest";
import type { Json } from "../../kit/api.ts";
import { readRows } from "../../kit/store/table.ts";
import { isId, isInstant, unknownId, openApiTest, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

const types = ["vapi", "elevenlabs", "retellai", "openai"] as const;

let apiTest: ApiTest;
let platforms: SandboxVoice;
beforeAll(async () => {
  apiTest = await openApiTest();
  platforms = apiTest.it.platform.voice;
});
afterAll(async () => {
  await apiTest?.close();
});

const apiKey = "private-platform-key-2468";
const at = ({ id }: { id: string }, part: "voice-providers" | "voice-agents") => `/api/admin/tenants/${id}/${part}`;
const atOffice = (officeId: string) => `/api/admin/offices/${officeId}/voice-agents`;
const provider = (change: object = {}, config: object = {}) => ({
  providerType: "vapi",
  providerName: `Desk ${randomUUID().slice(0, 8)}`,
  config: { apiKey, baseUrl: platforms.baseUrl("vapi"), model: "gpt-x", voice: "alloy", settings: {}, ...config },
  isDefault: false,
  isActive: true,
  ...change,
});
const agent = (voiceProviderId: string, change: object = {}) => {
  const externalAgentId = `agent-${randomUUID()}`;
  return {
    voiceProviderId,
    externalAgentId,
    agentName: "Reception",
    agentData: { id: externalAgentId, name: "Reception", description: "Answers the phone", isActive: true },
    isActive: true,
    ...change,
  };
};
const made = async (path: string, body: object): Promise<Json> => {
  const { status, json, text } = await apiTest.root.ask("POST", path, body);
  expect([path, status, text]).toEqual([path, 201, expect.any(String)]);
  return json;
};
const read = async (path: string): Promise<Json> => {
  const { status, json, text } = await apiTest.root.ask("GET", path);
  expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  return json;
};
/** Answers contain the provider's config without its API key. */
const shownConfig = ({ apiKey: _key, ...config }: Json) => ({ ...config, hasApiKey: true, apiKeyLast4: "2468" });
const clinic = async () => {
  const tenant = await apiTest.newTenant();
  const office = await made(`/api/admin/tenants/${tenant.id}/offices`, { name: "Branch" });
  return { tenant, office, voice: await made(at(tenant, "voice-providers"), provider()) };
};

proves("D2.3-007", async () => {
  const { tenant } = await clinic();
  const body = provider({ isDefault: true, isActive: false }, { settings: { language: "en" } });
  const created = await made(at(tenant, "voice-providers"), body);
  expect(created).toMatchObject({ ...body, config: shownConfig(body.config), id: isId, createdAt: isInstant });
  const bare = await made(at(tenant, "voice-providers"), { providerType: "openai", providerName: "Bare", config: { apiKey } });
  expect(bare).toMatchObject({ isDefault: false, isActive: true, config: { baseUrl: null, model: null, voice: null, settings: {} } });
  const all = await read("/api/admin/voice-providers");
  for (const { id, providerName } of [created, bare])
    expect(all.find((row: Json) => row.id === id)).toMatchObject({ providerName, tenantId: tenant.id, tenantName: tenant.name });
  expect(JSON.stringify([created, bare, all, await read(at(tenant, "voice-providers"))])).not.toContain(apiKey);
  expect(JSON.stringify(await readRows(apiTest.it.dataDir))).not.toContain(apiKey);
});

proves("D2.9-014", async () => {
  const { tenant } = await clinic();
  for (const providerType of types)
    expect((await made(at(tenant, "voice-providers"), provider({ providerType }))).providerType).toBe(providerType);
  expect((await read(at(tenant, "voice-providers"))).map(({ providerType }: Json) => providerType)).toEqual(["vapi", ...types]);
  for (const providerType of ["twilio", "VAPI", "", null])
    expect((await apiTest.root.ask("POST", at(tenant, "voice-providers"), provider({ providerType }))).status).toBe(400);
});

proves("D2.7-012", async () => {
  const [{ tenant, voice }, other] = [await clinic(), await clinic()];
  const second = await made(at(tenant, "voice-providers"), provider({ providerType: "retellai" }));
  expect(await read(at(tenant, "voice-providers"))).toEqual([voice, second]);
  expect(await read(at(other.tenant, "voice-providers"))).toEqual([other.voice]);
  expect((await apiTest.root.ask("GET", at({ id: unknownId }, "voice-providers"))).status).toBe(404);
});

proves("D2.7-014", async () => {
  const { tenant } = await clinic();
  const body = provider({ providerType: "elevenlabs", isDefault: true }, { settings: {} });
  const created = await made(at(tenant, "voice-providers"), body);
  expect(created).toMatchObject({ ...body, config: shownConfig(body.config) });
  expect(await read(at(tenant, "voice-providers"))).toContainEqual(created);
  for (const wrong of [{ isDefault: "no" }, { isActive: 1 }, { config: null }, { surprise: 1 }])
    expect((await apiTest.root.ask("POST", at(tenant, "voice-providers"), provider(wrong))).status).toBe(400);
  expect((await apiTest.root.ask("POST", at(tenant, "voice-providers"), provider({}, { settings: "text" }))).status).toBe(400);
});

proves("D2.7-015", async () => {
  const { tenant, voice } = await clinic();
  const path = `${at(tenant, "voice-providers")}/${voice.id}`;
  const agentsWith = async () => {
    platforms.asked.length = 0;
    await read(`/api/admin/voice-providers/${voice.id}/agents`);
    return platforms.asked.map(({ key }) => key);
  };
  const config = { apiKey: "", baseUrl: platforms.baseUrl("vapi"), model: "gpt-y", voice: "nova" };
  const saved = await apiTest.root.ask("PUT", path, { providerName: "Renamed", config, isDefault: true, isActive: true });
  expect(saved).toMatchObject({
    status: 200,
    json: { id: voice.id, providerName: "Renamed", isDefault: true, isActive: true, config: { ...shownConfig(config), settings: {} } },
  });
  expect(await agentsWith()).toEqual([apiKey]);
  const merged = await apiTest.root.ask("PUT", path, {
    providerName: "Renamed",
    config: { apiKey: "another-key-1357" },
    isDefault: false,
    isActive: true,
  });
  expect(merged.json).toMatchObject({
    isDefault: false,
    config: { model: "gpt-y", voice: "nova", baseUrl: config.baseUrl, apiKeyLast4: "1357" },
  });
  expect(await agentsWith()).toEqual(["another-key-1357"]);
  expect(await read(at(tenant, "voice-providers"))).toEqual([merged.json]);
  expect((await apiTest.root.ask("PUT", `${at(apiTest.tenants[1], "voice-providers")}/${voice.id}`, { isActive: false })).status).toBe(404);
});

proves("D2.4-010", async () => {
  const { tenant, voice } = await clinic();
  const path = `${at(tenant, "voice-providers")}/${voice.id}`;
  expect(await apiTest.root.ask("PUT", path, { ...provider(), providerType: "openai", config: {} })).toMatchObject({
    status: 400,
    json: { fields: { providerType: expect.stringContaining("annot change") } },
  });
  expect((await apiTest.root.ask("PUT", path, { providerType: "vapi", providerName: "Kept" })).status).toBe(200);
  expect(await read(at(tenant, "voice-providers"))).toMatchObject([{ providerType: "vapi", providerName: "Kept" }]);
  const { client, r4 } = apiTest.it.platform.sandbox;
  const form = { name: "Fixed", ...r4, clientId: client.id, scopes: client.scopes };
  const { id } = await made("/api/admin/fhir/providers", { ...form, providerType: "cerner" });
  const changed = await apiTest.root.ask("PUT", `/api/admin/fhir/providers/${id}`, { ...form, providerType: "epic" });
  expect([changed.status >= 400 && changed.status < 500, changed.json.fields.providerType]).toEqual([
    true,
    expect.stringContaining("cannot change"),
  ]);
  expect((await read("/api/admin/fhir/providers")).find((row: Json) => row.id === id)).toMatchObject({ providerType: "cerner" });
});

proves("D2.5-008", async () => {
  const { tenant, voice } = await clinic();
  const wanted = { status: 400, json: { error: "Provider name is required", fields: { providerName: "Provider name is required" } } };
  for (const providerName of ["", "  ", null, undefined])
    expect(await apiTest.root.ask("POST", at(tenant, "voice-providers"), provider({ providerName }))).toMatchObject(wanted);
  expect(await apiTest.root.ask("PUT", `${at(tenant, "voice-providers")}/${voice.id}`, { providerName: "" })).toMatchObject(wanted);
  expect(await read(at(tenant, "voice-providers"))).toHaveLength(1);
});

proves("D2.5-011", async () => {
  const { tenant } = await clinic();
  for (const voice of [undefined, "", null])
    expect((await made(at(tenant, "voice-providers"), provider({}, { voice }))).config.voice).toBeNull();
  expect((await made(at(tenant, "voice-providers"), provider({}, { voice: "alloy" }))).config.voice).toBe("alloy");
});

proves("D2.3-008", async () => {
  const { tenant } = await clinic();
  for (const type of types) {
    const { id } = await made(at(tenant, "voice-providers"), provider({ providerType: type }, { baseUrl: platforms.baseUrl(type) }));
    for (const found of await read(`/api/admin/voice-providers/${id}/agents`))
      expect(found).toEqual({
        id: expect.any(String),
        name: expect.any(String),
        description: expect.toSatisfy((text) => text === null || typeof text === "string"),
        isActive: expect.any(Boolean),
      });
  }
});

proves("D2.7-016", async () => {
  const { tenant } = await clinic();
  const agents = [2, 1, 0].map((index) => ({ id: `agent-${index}`, name: `Agent ${index}`, description: null, isActive: true }));
  for (const type of ["vapi", "retellai", "elevenlabs"] as const) {
    const { id } = await made(at(tenant, "voice-providers"), provider({ providerType: type }, { baseUrl: platforms.baseUrl(type) }));
    platforms.asked.length = 0;
    const found = await read(`/api/admin/voice-providers/${id}/agents`);
    expect(found.map(({ id: agentId, name, description }: Json) => ({ id: agentId, name, description, isActive: true }))).toEqual(agents);
    expect(platforms.asked).toMatchObject([{ platform: type, key: apiKey }]);
  }
  const config = { baseUrl: platforms.baseUrl("openai"), model: "gpt-realtime-2" };
  const { id } = await made(at(tenant, "voice-providers"), provider({ providerType: "openai" }, config));
  expect(await read(`/api/admin/voice-providers/${id}/agents`)).toEqual([
    { id: config.model, name: config.model, description: null, isActive: true },
  ]);
  expect((await apiTest.root.ask("GET", `/api/admin/voice-providers/${unknownId}/agents`)).status).toBe(404);
});

proves("D2.3-009", async () => {
  const { tenant, office, voice } = await clinic();
  const body = agent(voice.id);
  const ofTenant = await made(at(tenant, "voice-agents"), body);
  expect(ofTenant).toMatchObject({ ...body, id: isId, tenantId: tenant.id, createdAt: isInstant });
  expect(ofTenant).not.toHaveProperty("officeId");
  const second = agent(voice.id, { isActive: false });
  const ofOffice = await made(atOffice(office.id), second);
  expect(ofOffice).toMatchObject({ ...second, id: isId, tenantId: tenant.id, officeId: office.id, createdAt: isInstant });
  const summary = await read("/api/admin/voice-agents");
  expect(summary.find(({ id }: Json) => id === ofOffice.id)).toMatchObject({
    ...{ tenantId: tenant.id, tenantName: tenant.name, officeId: office.id },
    ...{ agentName: "Reception", isActive: false, createdAt: ofOffice.createdAt },
  });
});

proves("D2.7-017", async () => {
  const [{ tenant, office, voice }, other] = [await clinic(), await clinic()];
  expect(await read(at(tenant, "voice-agents"))).toEqual([]);
  const both = [await made(at(tenant, "voice-agents"), agent(voice.id)), await made(atOffice(office.id), agent(voice.id))];
  expect(await read(at(tenant, "voice-agents"))).toEqual(both);
  expect(await read(at(other.tenant, "voice-agents"))).toEqual([]);
});

proves("D2.7-018", async () => {
  const { tenant, office, voice } = await clinic();
  await made(at(tenant, "voice-agents"), agent(voice.id));
  const second = await made(`/api/admin/tenants/${tenant.id}/offices`, { name: "Second" });
  const ofOffice = await made(atOffice(office.id), agent(voice.id));
  expect(await read(atOffice(office.id))).toEqual([ofOffice]);
  expect(await read(atOffice(second.id))).toEqual([]);
  expect((await apiTest.root.ask("GET", atOffice(unknownId))).status).toBe(404);
});

proves("D2.7-020", async () => {
  const [{ tenant, office, voice }, other] = [await clinic(), await clinic()];
  for (const path of [at(tenant, "voice-agents"), atOffice(office.id)]) {
    const body = agent(voice.id, { isActive: path.includes("tenants") });
    expect(await made(path, body)).toMatchObject({ ...body, tenantId: tenant.id, providerType: "vapi" });
    expect(await apiTest.root.ask("POST", path, body)).toMatchObject({ status: 409 });
    for (const foreign of [other.voice.id, unknownId]) expect((await apiTest.root.ask("POST", path, agent(foreign))).status).toBe(404);
    for (const wrong of [{ isActive: "yes" }, { agentData: "text" }, { agentName: "" }, { surprise: 1 }])
      expect((await apiTest.root.ask("POST", path, agent(voice.id, wrong))).status).toBe(400);
  }
  expect(await read(at(tenant, "voice-agents"))).toHaveLength(2);
});

proves("D2.5-012", async ({ quoted, sees }) => {
  const { tenant, office, voice } = await clinic();
  for (const path of [at(tenant, "voice-agents"), atOffice(office.id)])
    for (const change of [
      { voiceProviderId: "" },
      { voiceProviderId: undefined },
      { externalAgentId: "" },
      { externalAgentId: null },
      { voiceProviderId: "", externalAgentId: "" },
    ]) {
      const { status, json } = await apiTest.root.ask("POST", path, agent(voice.id, change));
      expect([change, status, json.error]).toEqual([change, 400, quoted[0]]);
      sees(json.error);
    }
  expect(await read(at(tenant, "voice-agents"))).toEqual([]);
});

proves("D2.7-021", async () => {
  const [{ tenant, office, voice }, other] = [await clinic(), await clinic()];
  for (const path of [at(tenant, "voice-agents"), atOffice(office.id)]) {
    const { id } = await made(path, agent(voice.id));
    for (const isActive of [false, true]) {
      expect(await apiTest.root.ask("PUT", `${path}/${id}`, { isActive })).toMatchObject({ status: 200, json: { id, isActive } });
      expect((await read(path)).find((row: Json) => row.id === id)).toMatchObject({ isActive });
    }
    for (const body of [{}, { isActive: "yes" }, { isActive: true, agentName: "Other" }])
      expect((await apiTest.root.ask("PUT", `${path}/${id}`, body)).status).toBe(400);
    for (const foreign of [at(other.tenant, "voice-agents"), atOffice(other.office.id)])
      expect((await apiTest.root.ask("PUT", `${foreign}/${id}`, { isActive: false })).status).toBe(404);
  }
});

proves("D2.4-011", async () => {
  const { tenant, office, voice } = await clinic();
  const elsewhere = await made(at(tenant, "voice-providers"), provider());
  for (const path of [at(tenant, "voice-agents"), atOffice(office.id)]) {
    const before = await made(path, agent(voice.id));
    for (const change of [{ voiceProviderId: elsewhere.id }, { externalAgentId: "another" }])
      expect((await apiTest.root.ask("PUT", `${path}/${before.id}`, { isActive: false, ...change })).status).toBe(400);
    const { json: after } = await apiTest.root.ask("PUT", `${path}/${before.id}`, { isActive: false });
    expect(after).toEqual({ ...before, isActive: false, version: before.version + 1 });
  }
});

proves("D2.7-022", async () => {
  const [{ tenant, office, voice }, other] = [await clinic(), await clinic()];
  for (const path of [at(tenant, "voice-agents"), atOffice(office.id)]) {
    const body = agent(voice.id);
    const { id } = await made(path, body);
    for (const foreign of [at(other.tenant, "voice-agents"), atOffice(other.office.id)])
      expect((await apiTest.root.ask("DELETE", `${foreign}/${id}`)).status).toBe(404);
    expect(await apiTest.root.ask("DELETE", `${path}/${id}`)).toMatchObject({ status: 204, text: "" });
    expect(await read(path)).toEqual([]);
    expect((await apiTest.root.ask("DELETE", `${path}/${id}`)).status).toBe(404);
  }
});
