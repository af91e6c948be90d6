import { request } from "node:http";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { loadTools } from "@vitaline/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

const registry = await loadTools();

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
});
afterAll(() => it.close());

const tenantAt = (at: number) => it.demo.tenants[at] as TestPlatform["demo"]["tenants"][number];
const addressOf = (tenantId: string, officeId?: string) => new URL(`${it.origin}/api/mcp/${tenantId}${officeId ? `/${officeId}` : ""}`);

type Answer = { isError?: boolean; structuredContent: { ok: boolean; code?: string; speech: string; data?: unknown; callHandle?: string } };
type AnyClient = {
  listTools(): Promise<{ tools: { name: string; title?: string; description?: string; annotations?: object }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
};
type Era = "modern" | "earlier";

async function connect(era: Era, address: URL, headers: Record<string, string>): Promise<AnyClient> {
  const requestInit = { headers };
  if (era === "modern") {
    const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(address, { requestInit }));
    return client;
  }
  const client = new EarlierClient({ name: "test", version: "1" });
  await client.connect(new EarlierTransport(address, { requestInit }) as Parameters<EarlierClient["connect"]>[0]);
  return client as AnyClient;
}

const eras: Era[] = ["modern", "earlier"];
const use = async (client: AnyClient, name: string, args: Record<string, unknown>): Promise<Answer> =>
  (await client.callTool({ name, arguments: args })) as Answer;
const claim = () => {
  const { given, family, birthDate, phone } = it.demo.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};

test.each(eras)("the tool list (%s) is stable and describes every tool", async (era) => {
  const { id, apiKey } = tenantAt(0);
  const client = await connect(era, addressOf(id), { authorization: `Bearer ${apiKey}` });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(registry));
  for (const tool of tools)
    expect(tool).toMatchObject({
      title: expect.stringMatching(/\w+ \w+/),
      description: expect.stringMatching(/\w+ \w+/),
      annotations: { readOnlyHint: expect.any(Boolean) },
    });
  expect((await client.listTools()).tools).toEqual(tools);
  await client.close();
});

test.each(eras)("a caller identified by the platform (%s) is verified in one request and known in the next", async (era) => {
  const { id, apiKey } = tenantAt(0);
  const headers = { authorization: `Bearer ${apiKey}`, "x-call-id": `mcp-${era}-${Date.now()}` };
  const first = await connect(era, addressOf(id), headers);
  expect((await use(first, "getPatientInfo", {})).structuredContent).toMatchObject({ ok: false, code: "identity_required" });
  const verified = await use(first, "verifyPatientIdentity", claim());
  expect(verified.structuredContent).toMatchObject({ ok: true, data: { verified: true } });
  expect(verified.structuredContent).not.toHaveProperty("callHandle");
  await first.close();
  const second = await connect(era, addressOf(id), headers);
  expect((await use(second, "getPatientInfo", {})).structuredContent).toMatchObject({ ok: true, data: { firstName: claim().firstName } });
  await second.close();
});

test.each(eras)(
  "a client without a call id (%s) returns its handle; without it or with an invented one no caller is verified",
  async (era) => {
    const { id, apiKey } = tenantAt(0);
    const headers = { authorization: `Bearer ${apiKey}` };
    const client = await connect(era, addressOf(id), headers);
    const { callHandle } = (await use(client, "verifyPatientIdentity", claim())).structuredContent;
    expect((await use(client, "getPatientInfo", { callHandle })).structuredContent).toMatchObject({ ok: true });
    await client.close();
    const stranger = await connect(era, addressOf(id), headers);
    expect((await use(stranger, "getPatientInfo", {})).structuredContent).toMatchObject({ ok: false, code: "identity_required" });
    const madeUp = `${callHandle?.slice(0, -1)}${callHandle?.endsWith("A") ? "B" : "A"}`;
    expect((await use(stranger, "getPatientInfo", { callHandle: madeUp })).structuredContent).toMatchObject({ code: "identity_required" });
    await stranger.close();
    const other = tenantAt(1);
    const elsewhere = await connect(era, addressOf(other.id), { authorization: `Bearer ${other.apiKey}` });
    expect((await use(elsewhere, "getPatientInfo", { callHandle })).structuredContent).toMatchObject({ code: "identity_required" });
    await elsewhere.close();
  },
);

test("requests at an office's address are audited for that office", async () => {
  const { id, apiKey, offices } = tenantAt(0);
  const office = offices[0]!;
  const client = await connect("modern", addressOf(id, office.id), { authorization: `Bearer ${apiKey}`, "x-call-id": "mcp-office" });
  expect(await use(client, "verifyPatientIdentity", claim())).toMatchObject({ structuredContent: { ok: true } });
  await client.close();
  const table = openTable(it.dataDir);
  const rows = await table.rows();
  table.close();
  expect(rows).toContainEqual(
    expect.objectContaining({ action: "tool.verifyPatientIdentity", detail: expect.objectContaining({ officeId: office.id }) }),
  );
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const post = (
  path: string,
  { headers = {}, body = initialize, method = "POST" }: { headers?: Record<string, string>; body?: unknown; method?: string } = {},
) =>
  fetch(it.origin + path, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${tenantAt(0).apiKey}`, ...headers },
    ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
  });

/** fetch sets Host itself, so this uses node:http to send a wrong one. */
const statusAs = (host: string, path: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    const headers = { host, "content-type": "application/json", authorization: `Bearer ${tenantAt(0).apiKey}` };
    const asking = request(it.origin + path, { method: "POST", headers }, (response) => {
      response.resume();
      done(response.statusCode);
    });
    asking.on("error", fail).end(JSON.stringify(initialize));
  });

test("a path of another tenant, of another tenant's office or of an unknown office is the same 404; a wrong key is 401 without an address to sign in at", async () => {
  const [own, other] = [tenantAt(0), tenantAt(1)];
  const paths = [
    `/api/mcp/${other.id}`,
    `/api/mcp/${own.id}/${other.offices[0]!.id}`,
    `/api/mcp/${own.id}/${"0".repeat(26)}`,
    "/api/mcp/unknown",
  ];
  const bodies = await Promise.all(
    paths.map(async (path) => {
      const response = await post(path);
      expect([path, response.status]).toEqual([path, 404]);
      return z.parse(z.looseObject({ error: z.string(), code: z.string() }), await response.json());
    }),
  );
  expect(new Set(bodies.map(({ error, code }) => `${code} ${error}`)).size).toBe(1);
  const denied = await post(`/api/mcp/${own.id}`, { headers: { authorization: "Bearer vtl_live_wrong" } });
  expect([denied.status, denied.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="Vitaline", error="invalid_token"']);
});

test.each([["application/json"], ["*/*"], ["text/plain"], ["text/event-stream"]])(
  "a client that accepts %s is answered",
  async (accept) => {
    const response = await post(`/api/mcp/${tenantAt(0).id}`, { headers: { accept } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(accept === "text/event-stream" ? "text/event-stream" : "application/json");
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"');
  },
);

test("GET and DELETE are 405 with Allow; another site's page and an unknown host are refused", async () => {
  const path = `/api/mcp/${tenantAt(0).id}`;
  for (const method of ["GET", "DELETE"]) {
    const response = await post(path, { method });
    expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"]);
  }
  for (const origin of ["https://evil.example", "http://localhost:9", it.origin.replace("http:", "https:")])
    expect([origin, (await post(path, { headers: { origin } })).status]).toEqual([origin, 403]);
  expect((await post(path, { headers: { origin: it.origin } })).status).toBe(200);
  for (const host of ["evil.example", "localhost.evil.example", "attacker.s3.amazonaws.com"])
    expect([host, await statusAs(host, path)]).toEqual([host, 403]);
  expect(await statusAs(new URL(it.origin).host, path)).toBe(200);
});

test.each([
  ["an unknown tool", { method: "tools/call", params: { name: "dropTable", arguments: {} } }],
  ["an unknown method", { method: "tools/burn", params: {} }],
  ["no method", { params: {} }],
  ["a body that is text", "hello"],
  ["a body that is null", null],
  ["a batch", [initialize, initialize]],
])("%s is refused cleanly", async (_what, body) => {
  const sent = typeof body === "object" && body !== null && !Array.isArray(body) ? { jsonrpc: "2.0", id: 7, ...body } : body;
  const response = await post(`/api/mcp/${tenantAt(0).id}`, { body: sent });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  expect(text).not.toMatch(/ at .*\.ts|node_modules/);
});

test("V12 a client that looks for an authorization server finds a JSON 404 at each address", async () => {
  const path = `/api/mcp/${tenantAt(0).id}`;
  const asked: [method: string, path: string][] = [
    ["GET", `/.well-known/oauth-protected-resource${path}`],
    ["GET", "/.well-known/oauth-protected-resource"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/.well-known/openid-configuration"],
    ["POST", "/register"],
    ["POST", "/token"],
  ];
  for (const [method, address] of asked) {
    const response = await fetch(it.origin + address, { method, ...(method === "POST" ? { body: "{}" } : {}) });
    expect([address, response.status, response.headers.get("content-type")]).toEqual([address, 404, "application/json; charset=utf-8"]);
    expect(await response.json()).toMatchObject({ code: "not_found", error: "This was not found.", requestId: expect.stringMatching(/./) });
  }
});

test("a request nested 20,000 levels deep is refused cleanly", async () => {
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getPatientInfo","arguments":{"a":${nested}}}}`;
  const { id, apiKey } = tenantAt(0);
  const { status, json } = await it.api("POST", `/api/mcp/${id}`, { key: apiKey, body });
  expect([status, json.code]).toEqual([400, "invalid_request"]);
});
