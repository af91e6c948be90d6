import type { CallEvent } from "@vitaline/calls";
import { NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import type { TenantContext } from "@vitaline/store";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { withOffice } from "./record.ts";

let it: TestAws;
let officeId: string;
let northId: string;
const event: CallEvent = { platform: "vapi", callId: "c1", status: "completed", agentId: "asst-1" };

beforeAll(async () => {
  it = await startTestAws();
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  const ctx = it.inTenant(it.tenants[0]);
  const office = (name: string, phone?: string) => createOffice(ctx, { name, isActive: true, address: undefined, phone, email: undefined });
  officeId = (await office("Main")).id;
  northId = (await office("North", "(617) 555-0142")).id;
  const provider = NewVoiceProvider.parse({ providerType: "vapi", providerName: "Vapi", config: { apiKey: "key-1234567890" } });
  const { id: voiceProviderId } = await createVoiceProvider(ctx, provider);
  const agent = (externalAgentId: string) => NewVoiceAgent.parse({ voiceProviderId, externalAgentId, agentName: "Front" });
  await assignVoiceAgent(ctx, officeId, agent("asst-1"));
  await assignVoiceAgent(ctx, undefined, agent("asst-own"));
});
afterAll(() => it.close());

test("a call gets its agent's office, only in the tenant that assigned the agent", async () => {
  const [one, two] = it.tenants.map((id) => it.inTenant(id));
  expect(one && (await withOffice(one, event))).toEqual({ ...event, officeId });
  expect(two && (await withOffice(two, event))).toEqual(event);
});

test("an event without an agent, with an unassigned agent, or with an office is unchanged", async () => {
  const ctx = it.inTenant(it.tenants[0]);
  for (const other of [
    { ...event, agentId: undefined },
    { ...event, agentId: "asst-2" },
    { ...event, platform: "mcp" as const },
  ])
    expect(await withOffice(ctx, other)).toEqual(other);
  it.resetUsage();
  expect(await withOffice(ctx, { ...event, officeId: "elsewhere" })).toMatchObject({ officeId: "elsewhere" });
  expect(it.usage()).toEqual([]);
});

test("a call of an agent without an office gets the called office of its own tenant", async () => {
  const [one, two] = it.tenants.map((id) => it.inTenant(id)) as [TenantContext, TenantContext];
  const officeOf = async (more: Partial<CallEvent>, ctx = one) => (await withOffice(ctx, { ...event, ...more })).officeId;
  const calledNumber = "+16175550142";
  expect(await officeOf({ calledNumber })).toBe(officeId);
  for (const agentId of [undefined, "asst-own", "asst-2"]) expect(await officeOf({ agentId, calledNumber })).toBe(northId);
  expect(await officeOf({ platform: "mcp", calledNumber })).toBe(northId);
  expect(await officeOf({ calledNumber }, two)).toBeUndefined();
  expect(await officeOf({ agentId: undefined, calledNumber: "+16175550143" })).toBeUndefined();

  const outbound = { agentId: undefined, direction: "outbound", callerNumber: calledNumber, calledNumber: "+16175550100" } as const;
  expect([await officeOf(outbound), await officeOf({ ...outbound, direction: "inbound" })]).toEqual([northId, undefined]);
  it.resetUsage();
  await officeOf({ agentId: undefined, calledNumber });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["BatchGetItem"]);
});

test("an event is not lost because its office cannot be read", async () => {
  it.fault(() => ({ status: 500, code: "InternalServerError", message: "later" }));
  try {
    expect(await withOffice(it.inTenant(it.tenants[0]), event)).toEqual(event);
  } finally {
    it.fault();
  }
});
