import { ChangedVoiceProvider, NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { keys, update, type TenantContext } from "@vitaline/store";
import { createVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import {
  assignmentOf,
  assignVoiceAgent,
  deleteVoiceAgent,
  listAllVoiceAgents,
  listVoiceAgents,
  findActiveAssignment,
  tenantOfOffice,
  updateVoiceAgent,
} from "./index.ts";

let it: TestAws;
type Tenant = { ctx: TenantContext; officeId: string; vapi: string; retell: string };
let one: Tenant;
let two: Tenant;
let counter = 0;
/** Unassigned at the start of each test. */
let agent = "";

const addTenant = async (id: string, name: string): Promise<Tenant> => {
  await addTenantRow(it.platform(), id, name);
  const ctx = it.inTenant(id, { kind: "user", id: "root", role: "system_admin" });
  const office = await createOffice(ctx, { name: "Main", isActive: true, address: undefined, phone: undefined, email: undefined });
  const provider = async (providerType: "vapi" | "retellai") =>
    (
      await createVoiceProvider(
        ctx,
        NewVoiceProvider.parse({ providerType, providerName: providerType, config: { apiKey: "key-1234567890" } }),
      )
    ).id;
  return { ctx, officeId: office.id, vapi: await provider("vapi"), retell: await provider("retellai") };
};

beforeEach(async () => {
  it = await startTestAws();
  one = await addTenant(it.tenants[0], "One");
  two = await addTenant(it.tenants[1], "Two");
  agent = `asst-${(counter += 1)}`;
});
afterEach(() => it.close());

const input = (voiceProviderId: string, more: object = {}) =>
  NewVoiceAgent.parse({ voiceProviderId, externalAgentId: agent, agentName: `Agent ${agent}`, ...more });
const page = { limit: 200 };
const idsOf = async ({ ctx }: Tenant, officeId?: string) => (await listVoiceAgents(ctx, officeId, page)).rows.map(({ id }) => id);
const activateOffice = ({ ctx, officeId }: Tenant, isActive: boolean) =>
  ctx.store.commit([update(keys.office(officeId), { set: { isActive } })], {
    category: "configuration_change",
    action: "office.update",
    resourceType: "Office",
  });
const activateProvider = ({ ctx }: Tenant, id: string, isActive: boolean) =>
  updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse({ isActive }), undefined);

test("D2.3-009 an assignment belongs to the tenant or an office, and keeps the displayed fields of the platform's agent", async () => {
  const agentData = {
    id: agent,
    name: "Front",
    description: null,
    isActive: true,
    model: { messages: ["a prompt"] },
    serverUrlSecret: "s3cret",
  };
  const ofTenant = await assignVoiceAgent(one.ctx, undefined, input(one.vapi, { agentData }));
  expect(ofTenant).toMatchObject({
    tenantId: one.ctx.tenantId,
    voiceProviderId: one.vapi,
    providerType: "vapi",
    externalAgentId: agent,
    agentData: { id: agent, name: "Front", description: null, isActive: true },
    isActive: true,
    version: 1,
  });
  expect(ofTenant.officeId).toBeUndefined();
  agent += "-office";
  const ofOffice = await assignVoiceAgent(one.ctx, one.officeId, input(one.retell));
  expect(ofOffice).toMatchObject({ officeId: one.officeId, agentData: null });

  expect((await listVoiceAgents(one.ctx, undefined, page)).rows).toEqual([ofTenant, ofOffice]);
  expect((await listVoiceAgents(one.ctx, one.officeId, page)).rows).toEqual([ofOffice]);
  expect(await idsOf(two)).toEqual([]);
  expect(JSON.stringify(await one.ctx.store.query(keys.tenantPartitions.config(one.ctx.tenantId)))).not.toMatch(/a prompt|s3cret/);
});

test("an agent is assigned once per tenant, also with concurrent requests; another tenant may assign it too", async () => {
  const tries = await Promise.allSettled(
    [undefined, one.officeId, undefined, one.officeId].map((officeId) => assignVoiceAgent(one.ctx, officeId, input(one.vapi))),
  );
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  await expect(assignVoiceAgent(one.ctx, undefined, input(one.vapi))).rejects.toMatchObject({
    code: "duplicate",
    fields: { externalAgentId: "Is already assigned" },
  });
  expect(await assignVoiceAgent(one.ctx, undefined, input(one.retell))).toMatchObject({ providerType: "retellai" });
  expect(await assignVoiceAgent(two.ctx, undefined, input(two.vapi))).toMatchObject({ tenantId: two.ctx.tenantId });
});

test("another tenant's or an unknown provider is not found; an inactive one is reported as inactive", async () => {
  for (const id of [two.vapi, "0".repeat(26)])
    await expect(assignVoiceAgent(one.ctx, undefined, input(id))).rejects.toMatchObject({ code: "not_found" });
  await activateProvider(one, one.retell, false);
  await expect(assignVoiceAgent(one.ctx, undefined, input(one.retell))).rejects.toMatchObject({ code: "not_doable" });
  await activateProvider(one, one.retell, true);
});

test("another tenant's or an unknown office is not found; an inactive one gets no agent, also if it is deactivated meanwhile", async () => {
  for (const id of [two.officeId, "0".repeat(26)])
    await expect(assignVoiceAgent(one.ctx, id, input(one.vapi))).rejects.toMatchObject({ code: "not_found" });
  const refused = { code: "not_doable", message: "This office is inactive. Please activate it first." };
  const commit: TenantContext["store"]["commit"] = async (...args) => {
    await activateOffice(one, false);
    return one.ctx.store.commit(...args);
  };
  const slow = { ...one.ctx, store: { ...one.ctx.store, commit } };
  await expect(assignVoiceAgent(slow, one.officeId, input(one.vapi))).rejects.toMatchObject(refused);
  await expect(assignVoiceAgent(one.ctx, one.officeId, input(one.vapi))).rejects.toMatchObject(refused);
  expect(await assignVoiceAgent(two.ctx, two.officeId, input(two.vapi))).toMatchObject({ officeId: two.officeId });
  await activateOffice(one, true);
  expect(await assignVoiceAgent(one.ctx, one.officeId, input(one.vapi))).toMatchObject({ officeId: one.officeId });
});

test("D2.4-011 only isActive of an assignment can change, through the tenant's path also for an office's", async () => {
  const made = await assignVoiceAgent(one.ctx, one.officeId, input(one.vapi));
  const off = await updateVoiceAgent(one.ctx, { id: made.id }, { isActive: false }, made.version);
  expect(off).toEqual({ ...made, isActive: false, version: 2 });
  expect((await listVoiceAgents(one.ctx, one.officeId, page)).rows).toContainEqual(off);
  expect((await listAllVoiceAgents(it.platform(), page)).rows.find(({ id }) => id === made.id)).toMatchObject({ isActive: false });
  await expect(updateVoiceAgent(one.ctx, { id: made.id }, { isActive: true }, made.version)).rejects.toMatchObject({
    code: "stale_version",
  });
  const both = [true, false].map((isActive) => updateVoiceAgent(one.ctx, { id: made.id, officeId: one.officeId }, { isActive }, undefined));
  expect((await Promise.all(both)).map(({ version }) => version).sort()).toEqual([3, 4]);
});

test("a deleted assignment disappears from every list, and its agent can be assigned again", async () => {
  const made = await assignVoiceAgent(one.ctx, one.officeId, input(one.vapi));
  const ended = await Promise.allSettled([1, 2].map(() => deleteVoiceAgent(one.ctx, { id: made.id }, undefined)));
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(deleteVoiceAgent(one.ctx, { id: made.id }, undefined)).rejects.toMatchObject({ code: "not_found" });
  expect(await idsOf(one)).not.toContain(made.id);
  expect((await listAllVoiceAgents(it.platform(), page)).rows.map(({ id }) => id)).not.toContain(made.id);
  expect(await findActiveAssignment(one.ctx, "vapi", agent)).toBeUndefined();
  const again = await assignVoiceAgent(one.ctx, undefined, input(one.vapi));
  expect(await findActiveAssignment(one.ctx, "vapi", agent)).toMatchObject({ assignmentId: again.id });
});

test("an assignment is not found by the other tenant, nor under an office that is not its own", async () => {
  const ofTenant = await assignVoiceAgent(one.ctx, undefined, input(one.vapi));
  const elsewhere: [TenantContext, { id: string; officeId?: string }][] = [
    [two.ctx, { id: ofTenant.id }],
    [two.ctx, { id: ofTenant.id, officeId: two.officeId }],
    [one.ctx, { id: ofTenant.id, officeId: one.officeId }],
    [one.ctx, { id: "0".repeat(26) }],
  ];
  for (const [ctx, which] of elsewhere) {
    await expect(updateVoiceAgent(ctx, which, { isActive: false }, undefined)).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteVoiceAgent(ctx, which, undefined)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await findActiveAssignment(one.ctx, "vapi", agent)).toMatchObject({ assignmentId: ofTenant.id });
  expect(await tenantOfOffice(it.platform(), one.officeId)).toBe(one.ctx.tenantId);
  for (const id of [one.vapi, "0".repeat(26)]) await expect(tenantOfOffice(it.platform(), id)).rejects.toMatchObject({ code: "not_found" });
});

test("an agent answers for its office, unless it, its provider or the office is inactive", async () => {
  const made = await assignVoiceAgent(one.ctx, one.officeId, input(one.vapi));
  const answersFor = () => findActiveAssignment(one.ctx, "vapi", agent);
  const assignment = { assignmentId: made.id, voiceProviderId: one.vapi, officeId: one.officeId };
  expect(await answersFor()).toEqual(assignment);
  const switches = [
    (isActive: boolean) => updateVoiceAgent(one.ctx, { id: made.id }, { isActive }, undefined),
    (isActive: boolean) => activateProvider(one, one.vapi, isActive),
    (isActive: boolean) => activateOffice(one, isActive),
  ];
  for (const activate of switches) {
    await activate(false);
    expect(await answersFor()).toBeUndefined();
    await activate(true);
    expect(await answersFor()).toEqual(assignment);
  }
  expect(await findActiveAssignment(one.ctx, "retellai", agent)).toBeUndefined();
  expect(await findActiveAssignment(two.ctx, "vapi", agent)).toBeUndefined();
  expect(await assignmentOf(one.ctx, undefined)).toBeUndefined();
});

test("a tenant's own agent answers for no office; resolving takes two reads, one for an unassigned agent", async () => {
  await assignVoiceAgent(one.ctx, undefined, input(one.vapi));
  it.resetUsage();
  expect(await findActiveAssignment(one.ctx, "vapi", agent)).toMatchObject({ officeId: undefined, voiceProviderId: one.vapi });
  expect(it.usage()).toHaveLength(2);
  it.resetUsage();
  await findActiveAssignment(one.ctx, "vapi", "unassigned");
  expect(it.usage()).toHaveLength(1);
});

test("lists come in pages of one trip; the list over all tenants is newest first with tenant names", async () => {
  const made = await assignVoiceAgent(two.ctx, two.officeId, input(two.retell));
  it.resetUsage();
  const first = await listVoiceAgents(one.ctx, undefined, { limit: 2 });
  expect(
    it
      .usage()
      .map(({ operation }) => operation)
      .sort(),
  ).toEqual(["GetItem", "Query"]);
  const rest = await listVoiceAgents(one.ctx, undefined, { limit: 200, cursor: first.next });
  expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual(await idsOf(one));

  it.resetUsage();
  const newest = await listAllVoiceAgents(it.platform(), { limit: 1 });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "BatchGetItem"]);
  expect(newest.rows).toMatchObject([{ id: made.id, tenantId: two.ctx.tenantId, tenantName: "Two", officeId: two.officeId }]);
  const older = await listAllVoiceAgents(it.platform(), { limit: 100, cursor: newest.next });
  expect(older.rows).toHaveLength((await idsOf(one)).length + (await idsOf(two)).length - 1);
  await expect(listVoiceAgents(it.inTenant("0".repeat(26)), undefined, page)).rejects.toMatchObject({ code: "not_found" });
});

test("every change is in the tenant's audit log with its actor", async () => {
  const made = await assignVoiceAgent(one.ctx, one.officeId, input(one.vapi));
  await updateVoiceAgent(one.ctx, { id: made.id }, { isActive: false }, undefined);
  await deleteVoiceAgent(one.ctx, { id: made.id }, undefined);
  const { rows } = await one.ctx.store.query(
    keys.tenantPartitions.audit(one.ctx.tenantId, new Date().toISOString().slice(0, 7), "configuration_change"),
    { descending: true, limit: 3 },
  );
  expect(rows).toMatchObject(
    ["delete", "update", "create"].map((verb) => ({
      action: `voiceAgent.${verb}`,
      resourceId: made.id,
      actorId: "root",
      detail: { officeId: one.officeId },
    })),
  );
});

test("D2.5-012 the form requires a provider and an agent", () => {
  const text = "Please select a voice provider and agent";
  const messages = (body: object) =>
    Object.fromEntries((NewVoiceAgent.safeParse(body).error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]));
  const good = { voiceProviderId: "0".repeat(26), externalAgentId: "a", agentName: "A" };
  expect(messages(good)).toEqual({});
  for (const field of ["voiceProviderId", "externalAgentId"])
    for (const value of ["", undefined]) expect(messages({ ...good, [field]: value })).toEqual({ [field]: text });
  const odd = { id: "a", name: "half \ud83d", description: "x".repeat(5000), model: {} };
  expect(NewVoiceAgent.parse({ ...good, agentData: odd }).agentData).toEqual({
    id: "a",
    name: "half \ufffd",
    description: "x".repeat(2000),
  });
  expect(messages({ ...good, agentData: { id: "x".repeat(17 * 1024) } })).toEqual({ agentData: "Must be a JSON object of at most 16 KB" });
});
