import { randomUUID } from "node:crypto";
import { newCallToken } from "@vitaline/api-keys";
import { createOffice } from "@vitaline/offices";
import { keys, type AuditRow, type CallRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { tools } from "@vitaline/tools";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "../voice/clinics.fixture.ts";
import { openGateway, type Gateway } from "../voice/gateway.fixture.ts";

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
