import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { promisify } from "node:util";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Snippet } from "@vitaline/contract";
import { loadTools } from "@vitaline/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

const registry = await loadTools();

const toolCount = Object.keys(registry).length;

let it: TestPlatform;
let all: Snippet[];
const secrets = {
  vapi: "signing-secret-at-vapi",
  elevenlabs: "signing-secret-at-elevenlabs",
  openai: `whsec_${Buffer.from("signing secret at openai").toString("base64")}`,
};
const retellKey = "key_retell_0123456789";
const inOneTenant = () => it.demo.tenants[0] as TestPlatform["demo"]["tenants"][number];
const adminToken = () => it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
const ownToken = () => it.tokenOf(inOneTenant().admin.email, inOneTenant().admin.password);

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const token = await adminToken();
  const path = `/api/admin/tenants/${inOneTenant().id}/voice-providers`;
  for (const providerType of ["vapi", "retellai", "elevenlabs", "openai"] as const) {
    const config = { apiKey: providerType === "retellai" ? retellKey : `key-of-${providerType}` };
    const webhookSecret = providerType === "retellai" ? {} : { webhookSecret: secrets[providerType] };
    const body = { providerType, providerName: `Snippets ${providerType}`, config, ...webhookSecret };
    const { status, text } = await it.api("POST", path, { token, body });
    if (status !== 201) throw new Error(text);
  }
  all = (await it.api<Snippet[]>("GET", "/api/tenant/snippets", { token: await ownToken() })).json;
});
afterAll(() => it.close());

const named = (start: string, from = all): Snippet => {
  const found = from.findLast(({ id, title }) => id.startsWith(start) && (!title.includes("(") || title.includes("(Snippets ")));
  if (!found) throw new Error(`There is no snippet ${start}`);
  return found;
};
const jsonOf = (start: string): Json => JSON.parse(named(start).text);

const conversation: Record<string, string> = {
  system__conversation_id: "conv_snippets",
  system__agent_id: "agent_snippets",
  system__caller_id: "+14155550100",
  system__called_number: "+14155550199",
};
type Headers = Record<string, string | { variable_name: string }>;
const filled = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : (conversation[value.variable_name] ?? "")]),
  );
const post = async (url: string, headers: Record<string, string>, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: text });
  return { status: response.status, json: (await response.json().catch(() => undefined)) as Json };
};

const mcpServers: [id: string, read: () => { url: string; headers: Record<string, string> }][] = [
  ["vapi-mcp", () => jsonOf("vapi-mcp").server],
  ["retellai-mcp", () => jsonOf("retellai-mcp").mcps[0]],
  [
    "elevenlabs-mcp",
    () => ({ url: jsonOf("elevenlabs-mcp").config.url, headers: filled(jsonOf("elevenlabs-mcp").config.request_headers) }),
  ],
  [
    "openai-session",
    () => {
      const [tool] = jsonOf("openai-session").session.tools;
      return { url: tool.server_url, headers: { Authorization: `Bearer ${tool.authorization}` } };
    },
  ],
  ["mcp-client", () => jsonOf("mcp-client").mcpServers.clinic],
];
type AnyClient = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
};
async function connected(era: "modern" | "earlier", url: string, headers: Record<string, string>): Promise<AnyClient> {
  const requestInit = { headers };
  if (era === "modern") {
    const client = new ModernClient({ name: "snippet", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(new URL(url), { requestInit }));
    return client;
  }
  const client = new EarlierClient({ name: "snippet", version: "1" });
  await client.connect(new EarlierTransport(new URL(url), { requestInit }) as Parameters<EarlierClient["connect"]>[0]);
  return client as AnyClient;
}

test.each(mcpServers)("with address and headers of %s alone, both official MCP clients list every tool and call one", async (_id, read) => {
  const { url, headers } = read();
  for (const era of ["modern", "earlier"] as const) {
    const client = await connected(era, url, headers);
    expect((await client.listTools()).tools).toHaveLength(toolCount);
    expect(await client.callTool({ name: "getFhirProviders", arguments: {} })).toMatchObject({ structuredContent: { ok: true } });
    await client.close();
  }
});

const isUnknown = (answer: unknown): boolean => /unknown_tool|no such tool|can't do that/i.test(JSON.stringify(answer));

test("each of Vapi's function tools, called as Vapi does at its server, runs here", async () => {
  const all = jsonOf("vapi-tools") as {
    type: string;
    function: { name: string };
    server: { url: string; headers: Record<string, string> };
  }[];
  const tools = all.filter(({ type }) => type === "function");
  expect(tools).toHaveLength(toolCount);
  for (const { function: fn, server } of tools) {
    const toolCallList = [{ id: "tc_1", type: "function", function: { name: fn.name, arguments: {} } }];
    const { status, json } = await post(server.url, server.headers, {
      message: { type: "tool-calls", call: { id: "snippet-vapi" }, toolCallList },
    });
    const [result] = json.results;
    expect([status, fn.name, result.name, isUnknown(result)]).toEqual([200, fn.name, fn.name, false]);
    if (fn.name === "getFhirProviders") expect(result.result).toEqual(expect.any(String));
  }
});

test("each of Retell AI's custom functions, called as Retell does, runs here", async () => {
  const { general_tools: all } = jsonOf("retellai-functions") as {
    general_tools: { type: string; name: string; url: string; method: string; headers: Record<string, string> }[];
  };
  const tools = all.filter(({ type }) => type === "custom");
  expect(tools).toHaveLength(toolCount);
  for (const { name, url, headers } of tools) {
    const call = { call_id: "snippet-retell", agent_id: "agent_1", call_type: "phone_call", call_status: "ongoing" };
    const { status, json } = await post(url, headers, { name, call, args: {} });
    expect([status, name, isUnknown(json)]).toEqual([200, name, false]);
  }
});

test("each of ElevenLabs' webhook tools, called as ElevenLabs does, runs here and knows its conversation", async () => {
  const tools = jsonOf("elevenlabs-tools") as { tool_config: { name: string; api_schema: { url: string; request_headers: Headers } } }[];
  expect(tools).toHaveLength(toolCount);
  const call = async (name: string, args: object) => {
    const { url, request_headers: headers } = tools.find(({ tool_config }) => tool_config.name === name)!.tool_config.api_schema;
    return post(url, filled(headers), args);
  };
  for (const { tool_config } of tools) {
    const { status, json } = await call(tool_config.name, {});
    expect([status, tool_config.name, isUnknown(json)]).toEqual([200, tool_config.name, false]);
  }
  // The headers name the conversation, so a verification in one request counts in the next
  const { given, family, birthDate, phone } = it.demo.patients[0]!;
  await call("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone });
  expect(JSON.stringify((await call("getPatientInfo", {})).json)).toContain(given);
});

test("V04: with Vapi's snippets alone, the transfer tool gets a destination or a sentence from the server that the assistant names", async () => {
  const [transfer] = jsonOf("vapi-phone") as { type: string; destinations: unknown[] }[];
  expect(transfer).toMatchObject({ type: "transferCall", destinations: [] });
  const { server, serverMessages } = jsonOf("vapi-events");
  expect(serverMessages).toContain("transfer-destination-request");
  const message = { type: "transfer-destination-request", call: { id: "snippet-transfer" } };
  const { status, json } = await post(server.url, server.headers, { message });
  expect(status).toBe(200);
  expect([typeof json.destination?.number, typeof json.error]).toContain("string");
});

test("call events reach their record with the key in Vapi's snippet, and incoming calls reach ElevenLabs' answer", async () => {
  const { server, serverMessages } = jsonOf("vapi-events");
  expect(serverMessages).toContain("status-update");
  const message = { type: "status-update", status: "in-progress", call: { id: "snippet-events" } };
  expect((await post(server.url, server.headers, { message })).status).toBe(200);
  await it.platform.cloud.drained();
  const { text } = await it.api("GET", "/api/tenant/dashboard/recent-calls", { token: await ownToken() });
  expect(text).toContain("in_progress");
  const { url, request_headers: headers } = jsonOf("elevenlabs-initiation").conversation_initiation_client_data_webhook;
  const asked = { caller_id: "+14155550100", agent_id: "a", called_number: "+14155550199", call_sid: "CA1" };
  expect(await post(url, headers, asked)).toMatchObject({ status: 200, json: { type: "conversation_initiation_client_data" } });
});

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
const nowSeconds = () => Math.floor(Date.now() / 1000);
/** Signatures as the snippet or the platform's documentation defines them, with the webhook's address. */
const signed: [id: string, read: () => { url: string; sign(body: string): Record<string, string> }, body: object][] = [
  [
    "vapi-signed-events",
    () => {
      const { signatureHeader, timestampHeader, payloadFormat, algorithm } = jsonOf("vapi-credential").authenticationPlan;
      const sign = (body: string) => {
        const timestamp = String(nowSeconds());
        const payload = payloadFormat.replace("{timestamp}", timestamp).replace("{body}", () => body);
        return {
          [timestampHeader]: timestamp,
          [signatureHeader]: createHmac(algorithm, secrets.vapi).update(payload).digest("hex"),
        };
      };
      return { url: jsonOf("vapi-signed-events").server.url, sign };
    },
    { message: { type: "status-update", status: "in-progress", call: { id: "snippet-signed" } } },
  ],
  [
    "retellai-events",
    () => ({
      url: jsonOf("retellai-events").webhook_url,
      sign(body) {
        const ms = Date.now();
        return { "x-retell-signature": `v=${ms},d=${hmac(retellKey, body + ms).digest("hex")}` };
      },
    }),
    { event: "call_started", call: { call_id: "snippet-signed", agent_id: "a", call_status: "ongoing", start_timestamp: Date.now() } },
  ],
  [
    "elevenlabs-webhook",
    () => ({
      url: jsonOf("elevenlabs-webhook").settings.webhook_url,
      sign(body) {
        const t = nowSeconds();
        return { "elevenlabs-signature": `t=${t},v0=${hmac(secrets.elevenlabs, `${t}.${body}`).digest("hex")}` };
      },
    }),
    {
      type: "post_call_transcription",
      event_timestamp: 1,
      data: { conversation_id: "snippet-signed", agent_id: "a", status: "done", transcript: [], metadata: { call_duration_secs: 5 } },
    },
  ],
  [
    "openai-webhook",
    () => ({
      url: jsonOf("openai-webhook").url,
      sign(body) {
        const timestamp = String(nowSeconds());
        const key = Buffer.from(secrets.openai.slice("whsec_".length), "base64");
        const signature = `v1,${hmac(key, `wh_1.${timestamp}.${body}`).digest("base64")}`;
        return { "webhook-id": "wh_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
      },
    }),
    { id: "evt_1", object: "event", created_at: 1, type: "response.completed", data: { id: "r" } },
  ],
];

test.each(signed)("a signed request for the address in %s is accepted, and refused with one more byte", async (_id, read, body) => {
  const { url, sign } = read();
  const text = JSON.stringify(body);
  expect((await post(url, sign(text), text)).status).toBeLessThan(300);
  expect((await post(url, sign(text), `${text} `)).status).toBe(401);
});

test("the snippet's commands run unchanged: one tool, and one call's report", async () => {
  const run = promisify(execFile);
  for (const id of ["mcp-curl", "openai-report"]) {
    const { stdout } = await run("sh", ["-c", named(id).text]);
    expect([id, JSON.stringify(JSON.parse(stdout))]).toEqual([id, expect.stringMatching(/"ok":true|"received":true/)]);
  }
});

test("an office's snippets contain the office's own address, and another tenant's office is not found", async () => {
  const token = await ownToken();
  const officeId = inOneTenant().offices[0]?.id ?? "";
  const { json } = await it.api<Snippet[]>("GET", `/api/tenant/snippets?officeId=${officeId}`, { token });
  const { url, headers } = JSON.parse(named("mcp-client", json).text).mcpServers.clinic;
  expect(url).toBe(`${it.origin}/api/mcp/${inOneTenant().id}/${officeId}`);
  const client = await connected("modern", url, headers);
  expect((await client.listTools()).tools).toHaveLength(toolCount);
  await client.close();
  const foreign = it.demo.tenants[1]?.offices[0]?.id;
  expect(await it.api("GET", `/api/tenant/snippets?officeId=${foreign}`, { token })).toMatchObject({ status: 404 });
});

test("reading the tenant's key is audited; administrators of the platform, and those viewing the tenant, see none", async () => {
  const admin = await adminToken();
  const path = `/api/admin/tenants/${inOneTenant().id}`;
  const { json, text } = await it.api<Snippet[]>("GET", `${path}/snippets`, { token: admin });
  expect(json.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(text).not.toContain("vtl_live_");
  expect(JSON.parse(named("vapi-mcp", json).text).server.headers).toEqual({ Authorization: "Bearer YOUR_API_KEY" });
  const { token: viewing } = (await it.api("POST", `${path}/view-as`, { token: admin })).json;
  for (const query of ["", "?withKey=true", "?withKey="])
    expect(await it.api("GET", `/api/tenant/snippets${query}`, { token: viewing })).toMatchObject({ status: 403 });
  const reveals = async () =>
    (await it.api("GET", "/api/tenant/dashboard/audit-logs?search=apiKey.reveal", { token: await ownToken() })).text.split(
      '"apiKey.reveal"',
    ).length;
  const before = await reveals();
  for (const token of [viewing, await ownToken()]) {
    const without = await it.api<Snippet[]>("GET", "/api/tenant/snippets?withKey=false", { token });
    expect([without.status, without.text.includes("vtl_live_")]).toEqual([200, false]);
    expect(JSON.parse(named("vapi-mcp", without.json).text).server.headers).toEqual({ Authorization: "Bearer YOUR_API_KEY" });
    expect((await it.api("GET", "/api/tenant/snippets?withKey=maybe", { token })).status).toBe(400);
  }
  expect(await reveals()).toBe(before);
  await it.api("GET", "/api/tenant/snippets", { token: await ownToken() });
  expect(await reveals()).toBe(before + 1);
});
