import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { plannedTenants } from "./plan.ts";
import type { SeededTenant } from "./state.ts";
import { ensureVoiceProviders } from "./voice-providers.ts";

type Provider = { id: string; providerType: string; providerName: string; webhookSecret: string; config: Record<string, unknown> };

let registered: Provider[] = [];
let agents: { of: string; voiceProviderId: string; externalAgentId: string }[] = [];
let asked: string[] = [];
const platform = createServer((request, response) => {
  let text = "";
  request.on("data", (piece: Buffer) => (text += piece.toString()));
  request.on("end", () => {
    const { method = "", url = "" } = request;
    asked.push(method);
    const body = text ? JSON.parse(text) : undefined;
    const [, of = "", part, id] = /^\/api\/admin\/((?:tenants|offices)\/[^/]+)\/([^/]+)(?:\/(.+))?$/.exec(url) ?? [];
    if (part === "voice-agents") {
      const isThere = agents.some(
        (agent) => agent.externalAgentId === body.externalAgentId && agent.voiceProviderId === body.voiceProviderId,
      );
      if (!isThere) agents.push({ of, ...body });
      return response.writeHead(isThere ? 409 : 201).end("{}");
    }
    if (method === "GET") return response.writeHead(200).end(JSON.stringify(registered));
    if (id !== undefined && registered.every((one) => one.id !== id)) return response.writeHead(404).end("{}");
    const made = id ?? `v${registered.length + 1}`;
    const config = { ...registered.find((one) => one.id === id)?.config, ...body.config, webhookUrl: `${origin}/hook/${made}` };
    const provider = { ...registered.find((one) => one.id === id), ...body, id: made, config };
    registered = [...registered.filter((one) => one.id !== made), provider];
    return response.writeHead(200).end(JSON.stringify(provider));
  });
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((done) => platform.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});
afterAll(() => void platform.close());

let tenant: SeededTenant;
let saves = 0;
const [plan] = plannedTenants as [(typeof plannedTenants)[number]];
beforeEach(() => {
  [registered, agents, asked, saves] = [[], [], [], 0];
  const offices = plan.offices.map(({ name }, at) => ({ id: `o${at + 1}`, name }));
  const login = { email: "a@b.example", password: "p" };
  tenant = { name: plan.name, id: "t1", admin: login, firstPassword: "f", offices, voiceProviders: {}, calls: 0, wishes: {} };
});
const ensure = (place = "http://127.0.0.1:9", tenantId = "t1") =>
  ensureVoiceProviders(
    { origin, token: "t", voice: { baseUrl: (type) => `${place}/${type}` }, save: () => void (saves += 1) },
    tenant,
    plan,
    tenantId,
  );

test("a tenant's four accounts are registered once, each with its own secret and an agent", async () => {
  await ensure();
  expect(registered.map(({ providerType, config }) => [providerType, config["baseUrl"]])).toEqual(
    ["vapi", "retellai", "elevenlabs", "openai"].map((type) => [type, `http://127.0.0.1:9/${type}`]),
  );
  expect(agents.map(({ of, externalAgentId }) => [of, externalAgentId])).toEqual([
    ["tenants/t1", "agent-2"],
    ["offices/o1", "agent-2"],
    ["tenants/t1", "agent-2"],
    ["offices/o2", "gpt-realtime-2"],
  ]);
  expect(new Set(registered.map(({ webhookSecret }) => webhookSecret)).size).toBe(4);
  expect(tenant.voiceProviders["openai"]).toMatchObject({ webhookPath: "/hook/v4", calledNumber: "+14155550112", isAssigned: true });
  expect(tenant.voiceProviders["openai"]?.webhookSecret).toBe(registered[3]?.webhookSecret);
  asked = [];
  await ensure();
  expect(asked).toEqual([]);
});

test("a step that was done but not noted is found again and keeps its secret", async () => {
  await ensure();
  const { id, baseUrl, apiKey, webhookPath, isAssigned, ...noted } = tenant.voiceProviders["vapi"]!;
  expect([id, baseUrl, apiKey, webhookPath, isAssigned]).toEqual([
    "v1",
    "http://127.0.0.1:9/vapi",
    "sandbox-key-of-vapi-t1",
    "/hook/v1",
    true,
  ]);
  tenant.voiceProviders["vapi"] = { ...noted, isAssigned: false };
  await ensure();
  expect([registered.length, agents.length]).toEqual([4, 4]);
  expect(tenant.voiceProviders["vapi"]).toEqual({ ...noted, id, baseUrl, apiKey, webhookPath, isAssigned: true });
});

test("a moved sandbox is followed, and nothing else changes", async () => {
  await ensure();
  const before = registered.map(({ webhookSecret, config }) => [webhookSecret, config["apiKey"]]);
  await ensure("http://127.0.0.1:10");
  expect(registered.map(({ config }) => config["baseUrl"])).toEqual(
    ["vapi", "retellai", "elevenlabs", "openai"].map((type) => `http://127.0.0.1:10/${type}`),
  );
  expect(registered.map(({ webhookSecret, config }) => [webhookSecret, config["apiKey"]])).toEqual(before);
  expect([agents.length, tenant.voiceProviders["vapi"]?.baseUrl]).toEqual([4, "http://127.0.0.1:10/vapi"]);
});

test("an account that a user has deleted is not added again, and keeps no later start from following the others", async () => {
  await ensure();
  registered = registered.filter(({ providerType }) => providerType !== "vapi");
  await ensure("http://127.0.0.1:10");
  expect(registered.map(({ config }) => config["baseUrl"])).toEqual(
    ["retellai", "elevenlabs", "openai"].map((type) => `http://127.0.0.1:10/${type}`),
  );
  expect(Object.entries(tenant.voiceProviders).map(([type, { webhookPath }]) => [type, webhookPath !== undefined])).toEqual([
    ["vapi", false],
    ["retellai", true],
    ["elevenlabs", true],
    ["openai", true],
  ]);
});

test("each tenant's accounts have keys of their own, also where they were registered with a key for all", async () => {
  await ensure();
  const keysOf = () => registered.map(({ config }) => config["apiKey"]);
  const first = keysOf();
  for (const provider of Object.values(tenant.voiceProviders)) delete provider.apiKey;
  for (const provider of registered) provider.config["apiKey"] = "one-for-all";
  await ensure();
  expect([keysOf(), registered.length, agents.length]).toEqual([first, 4, 4]);
  [registered, agents, tenant.voiceProviders] = [[], [], {}];
  await ensure(undefined, "t2");
  expect(new Set([...first, ...keysOf()]).size).toBe(8);
});
