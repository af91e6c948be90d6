import { randomUUID } from "node:crypto";
import { createOffice } from "@vitaline/offices";
import { assignVoiceAgent, updateVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import type { AuditRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "../voice/clinics.fixture.ts";
import { openGateway, type Gateway } from "../voice/gateway.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
let gateway: Gateway;
let one: Clinic;
let two: Clinic;
beforeAll(async () => {
  town = await startClinics();
  gateway = await openGateway();
  [one, two] = town.clinics;
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await town.close();
});
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => vi.restoreAllMocks());

type Content = { ok: boolean; speech: string; callHandle?: string };
type Asked = { headers?: Record<string, string>; meta?: object; clinic?: Clinic };

async function use(name: string, args: object, { headers = {}, meta, clinic = one }: Asked = {}): Promise<Content> {
  const response = await fetch(`${gateway.origin}/api/mcp/${clinic.id}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${clinic.apiKey}`, ...headers },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
    }),
  });
  return ((await response.json()) as { result: { structuredContent: Content } }).result.structuredContent;
}
const claim = () => {
  const { given, family, birthDate, phone } = one.sandbox.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};

it.each<[string, Asked]>([
  ["X-Conversation-Id", { headers: { "x-conversation-id": "{{system__conversation_id}}" } }],
  ["X-Retell-Call-Id", { headers: { "x-retell-call-id": "call {{call_id}}" } }],
  ["_meta", { meta: { callId: "{{call_id}}" } }],
])("of two callers whose %s was never filled in, the second gets nothing of the first's identity", async (_where, asked) => {
  const first = await use("verifyPatientIdentity", claim(), asked);
  expect(first).toMatchObject({ ok: true, callHandle: expect.any(String) });
  expect(await use("getPatientInfo", {}, asked)).toMatchObject({ ok: false });
  expect(await use("getPatientInfo", { callHandle: first.callHandle }, asked)).toMatchObject({ ok: true });
});

/** As ElevenLabs sends them with the snippets' configuration. */
const told = (more: Record<string, string> = {}) => ({
  "x-conversation-id": `conv_${randomUUID()}`,
  "x-caller-id": "+16175550142",
  "x-called-number": "+16175550199",
  ...more,
});
const routed = { reason: "wants to speak with a person", outcome: "transferred" };
const runsOf = async (clinic: Clinic) => {
  const { rows } = await clinic.ctx.store.query<AuditRow>(
    tenantPartitions.audit(clinic.id, new Date().toISOString().slice(0, 7), "api_call"),
  );
  return rows.filter(({ action }) => action === "tool.logRoutingEvent");
};

it("the called number selects the call's office, in its own tenant alone", async () => {
  const office = { name: "Harbor", isActive: true, staffRouting: [], phone: "+1 617 555 0177" };
  const { id } = await createOffice(one.ctx, office);
  const offices = [];
  for (const clinic of [one, two]) {
    const before = (await runsOf(clinic)).map((run) => run.id);
    const headers = told({ "x-called-number": "+16175550177" });
    expect(await use("logRoutingEvent", routed, { headers, clinic })).toMatchObject({ ok: true });
    const own = (await runsOf(clinic)).filter((run) => !before.includes(run.id));
    offices.push(own.map(({ detail }) => detail?.["officeId"]));
  }
  expect(offices).toEqual([[id], [undefined]]);
});

it("an inactive agent runs no tools over MCP, and another tenant's agent with the same id does", async () => {
  const provider = { providerType: "elevenlabs", providerName: "ElevenLabs", config: { apiKey: `sk_${randomUUID()}` } };
  const { id: voiceProviderId } = await createVoiceProvider(one.ctx, NewVoiceProvider.parse(provider));
  const agent = NewVoiceAgent.parse({ voiceProviderId, externalAgentId: "agent_off", agentName: "Receptionist" });
  const { id } = await assignVoiceAgent(one.ctx, undefined, agent);
  const headers = () => told({ "x-agent-id": "agent_off" });
  expect(await use("logRoutingEvent", routed, { headers: headers() })).toMatchObject({ ok: true });
  await updateVoiceAgent(one.ctx, { id }, { isActive: false }, undefined);
  expect(await use("logRoutingEvent", routed, { headers: headers() })).toMatchObject({ ok: false, code: "agent_inactive" });
  expect(await use("logRoutingEvent", routed, { headers: headers(), clinic: two })).toMatchObject({ ok: true });
});

it("a phone number that guesses at patients is refused after twenty failures in any calls, and others are not", async () => {
  const guess = (asked: object, caller: string) => use("verifyPatientIdentity", asked, { headers: told({ "x-caller-id": caller }) });
  const wrong = { lastName: "No one", dateOfBirth: "1980-01-01" };
  for (const [index, letter] of [..."abcdefghijklmnopqrst"].entries())
    expect(await guess({ ...wrong, firstName: `Al${letter}`, phoneNumber: `+1617556${1000 + index}` }, "+16175550111")).toMatchObject({
      ok: false,
    });
  expect(await guess(claim(), "+16175550111")).toMatchObject({ ok: false });
  expect(await guess(claim(), "+16175550112")).toMatchObject({ ok: true });
});
