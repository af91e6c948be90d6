import { randomUUID } from "node:crypto";
import { newCallToken } from "@vitaline/api-keys";
import { createOffice } from "@vitaline/offices";
import { keys, type AuditRow, type CallRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { loadTools } from "@vitaline/tools";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "../voice/clinics.fixture.ts";
import { openGateway, type Gateway } from "../voice/gateway.fixture.ts";

const tools = await loadTools();

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
let gateway: Gateway;
let one: Clinic;
let officeId: string;
let voiceProviderId: string;
beforeAll(async () => {
  town = await startClinics();
  gateway = await openGateway();
  [one] = town.clinics;
  ({ id: officeId } = await createOffice(one.ctx, { name: "North", isActive: true, staffRouting: [] }));
  const config = { apiKey: "sk-1234567890123", settings: {} };
  const provider = { providerType: "openai" as const, providerName: "OpenAI", config, isDefault: false, isActive: true };
  ({ id: voiceProviderId } = await createVoiceProvider(one.ctx, provider));
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await town.close();
});
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => vi.restoreAllMocks());

const post = (path: string, body: unknown, key = one.apiKey, headers: Record<string, string> = {}) =>
  fetch(gateway.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  });
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
const modernMeta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
const callTool = (name: string, args: object, meta?: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
});
const claim = () => {
  const { given, family, birthDate, phone } = one.sandbox.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};
const tokenFor = (more: { officeId?: string } = {}) =>
  newCallToken({ tenantId: one.id, voiceProviderId, platform: "openai", callId: randomUUID(), ...more }, new Date());

it.each([["earlier"], ["modern"]])(
  "a list of tools (%s) takes one read, at an office's address two, with a key and with a call's token",
  async (era) => {
    const path = `/api/mcp/${one.id}`;
    const body = era === "modern" ? { ...list, params: { _meta: modernMeta } } : list;
    const reads = async (at: string, key: string, toolCount = Object.keys(tools).length) => {
      town.aws.resetUsage();
      const response = await post(at, body, key, era === "modern" ? modernHeaders : {});
      expect(response.status).toBe(200);
      expect(((await response.json()) as { result: { tools: unknown[] } }).result.tools).toHaveLength(toolCount);
      return town.aws.usage().map(({ operation }) => operation);
    };
    // Key use is recorded once a minute
    await post(path, body);
    expect(await reads(path, one.apiKey)).toEqual(["GetItem"]);
    expect(await reads(`${path}/${officeId}`, one.apiKey)).toEqual(["GetItem", "GetItem"]);
    // A call at OpenAI has endCall too
    const ofCall = Object.keys(tools).length + 1;
    expect(await reads(path, tokenFor(), ofCall)).toEqual(["GetItem"]);
    expect(await reads(`${path}/${officeId}`, tokenFor({ officeId }), ofCall)).toEqual(["GetItem", "GetItem"]);
  },
);

it("a client reports the end of a call under its own call id: both are one record, and the identity ends with it", async () => {
  const callId = `own-name-${randomUUID()}`;
  const toolRuns = async () => {
    const { rows } = await one.ctx.store.query<AuditRow>(
      tenantPartitions.audit(one.id, new Date().toISOString().slice(0, 7), "patient_access"),
    );
    return rows.filter(({ action }) => action.startsWith("tool."));
  };
  const earlier = new Set((await toolRuns()).map(({ id }) => id));
  const use = async (name: string, args: object) => {
    const response = await post(`/api/mcp/${one.id}`, callTool(name, args, { callId }));
    return ((await response.json()) as { result: { structuredContent: { ok: boolean; code?: string } } }).result.structuredContent;
  };
  expect(await use("verifyPatientIdentity", claim())).toMatchObject({ ok: true });
  expect(await use("getPatientInfo", {})).toMatchObject({ ok: true });
  const report = { platform: "mcp", callId, status: "completed", durationSeconds: 30, endedReason: "hangup", summary: "All said." };
  expect((await post("/api/calls", report)).status).toBe(200);
  expect(await use("getPatientInfo", {})).toMatchObject({ ok: false, code: "forbidden" });

  const callKey = keys.callKeyOf("mcp", callId);
  expect(await one.ctx.store.get<CallRow>(keys.call(callKey))).toMatchObject({
    platform: "mcp",
    platformCallId: callId,
    status: "completed",
  });
  const runs = (await toolRuns()).filter(({ id }) => !earlier.has(id));
  expect(runs.length).toBeGreaterThanOrEqual(2);
  expect(new Set(runs.map((run) => run.callKey))).toEqual(new Set([callKey]));
});

it("S01 a request may contain one identity check: in a batch, guesses would not be counted one after the other", async () => {
  const batch = (count: number) =>
    post(
      `/api/mcp/${one.id}`,
      Array.from({ length: count }, (_, id) => ({ ...callTool("verifyPatientIdentity", claim()), id })),
    );
  const refused = await batch(2);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ code: "invalid_request", error: "A request may contain only one identity check." }),
  ]);
  expect((await batch(1)).status).toBe(200);
});

const errorOf = async (response: Response) => {
  const { id, error } = (await response.json()) as { id?: unknown; error?: { code: number } };
  return [response.status, id, error?.code];
};

it.each([["earlier"], ["modern"]])("V12 a cursor that was never given out is refused (%s), not taken for the first page", async (era) => {
  for (const cursor of ["garbage", "", "eyJwYWdlIjogMn0="]) {
    const body = { ...list, params: { cursor, ...(era === "modern" ? { _meta: modernMeta } : {}) } };
    const response = await post(`/api/mcp/${one.id}`, body, one.apiKey, era === "modern" ? modernHeaders : {});
    expect((await errorOf(response)).slice(1)).toEqual([1, -32602]);
  }
});

it("V12 a batch is answered in the one protocol version that has batches, and refused in each later one", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const batch = (version?: string) =>
    post(`/api/mcp/${one.id}`, [ping, { ...ping, id: 2 }], one.apiKey, version === undefined ? {} : { "mcp-protocol-version": version });
  for (const version of [undefined, "2025-03-26"]) {
    const response = await batch(version);
    expect([version, response.status, ((await response.json()) as { id: number }[]).map(({ id }) => id)]).toEqual([version, 200, [1, 2]]);
  }
  for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"])
    expect([version, ...(await errorOf(await batch(version)))]).toEqual([version, 400, null, -32600]);
});

it("V12 a body that is not JSON is a parse error of JSON-RPC", async () => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${one.apiKey}` };
  for (const at of [`/api/mcp/${one.id}`, `/api/mcp/${one.id}/${officeId}`])
    for (const body of ['{"jsonrpc":"2.0",', "ping", ""])
      expect([at, body, ...(await errorOf(await fetch(gateway.origin + at, { method: "POST", headers, body })))]).toEqual([
        at,
        body,
        400,
        null,
        -32700,
      ]);
});

it("V12 a 401 names the realm, and an error only to a client that sent a token", async () => {
  const challengeFor = async (headers: Record<string, string>) => {
    const response = await fetch(`${gateway.origin}/api/mcp/${one.id}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(list),
    });
    return [response.status, response.headers.get("www-authenticate")];
  };
  expect(await challengeFor({})).toEqual([401, 'Bearer realm="Vitaline"']);
  for (const authorization of ["Bearer vtl_live_wrong", `Basic ${one.apiKey}`])
    expect(await challengeFor({ authorization })).toEqual([401, 'Bearer realm="Vitaline", error="invalid_token"']);
});
