import { ChangedVoiceProvider, NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { keys, type TenantContext } from "@vitaline/store";
import { createVoiceProvider, deleteVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import { assignVoiceAgent, deleteVoiceAgent, listVoiceAgents, updateVoiceAgent } from "./index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => {
  it = await startTestAws();
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  [one, two] = it.tenants.map((id) => it.inTenant(id)) as [TenantContext, TenantContext];
});
afterAll(() => it.close());

const addProvider = async (ctx: TenantContext): Promise<string> =>
  (
    await createVoiceProvider(
      ctx,
      NewVoiceProvider.parse({ providerType: "vapi", providerName: "Vapi", config: { apiKey: "key-1234567890" } }),
    )
  ).id;
const activate = (ctx: TenantContext, id: string, isActive: boolean) =>
  updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse({ isActive }), undefined);
let count = 0;
const assign = (ctx: TenantContext, voiceProviderId: string, officeId?: string) =>
  assignVoiceAgent(
    ctx,
    officeId,
    NewVoiceAgent.parse({ voiceProviderId, externalAgentId: `asst-${(count += 1)}`, agentName: "Reception" }),
  );

test("a provider with agents of the tenant or an office, also inactive ones, is not deleted, and the refusal says how many there are", async () => {
  const [id, other, foreign] = [await addProvider(one), await addProvider(one), await addProvider(two)];
  const office = await createOffice(one, { name: "Main", isActive: true, address: undefined, phone: undefined, email: undefined });
  const [ofTenant, ofOffice] = [await assign(one, id), await assign(one, id, office.id)];
  await assign(one, other);
  await assign(two, foreign);
  await updateVoiceAgent(one, { id: ofOffice.id }, { isActive: false }, undefined);
  await activate(one, id, false);
  const refused = (message: string) =>
    expect(deleteVoiceProvider(one, id, undefined)).rejects.toMatchObject({ code: "not_doable", message });
  await refused("Voice agents still use this provider: 1 of the organization, 1 of its offices. Please remove them first.");
  await deleteVoiceAgent(one, { id: ofTenant.id }, undefined);
  await refused("Voice agents still use this provider: 1 of its offices. Please remove them first.");
  await deleteVoiceAgent(one, { id: ofOffice.id }, undefined);
  await deleteVoiceProvider(one, id, undefined);
  await expect(assign(one, id)).rejects.toMatchObject({ code: "not_found" });
});

test("an agent that is assigned while its provider is being deleted keeps its provider, in whichever order both are written", async () => {
  const agentsOf = async (id: string) =>
    (await listVoiceAgents(one, undefined, { limit: 200 })).rows.filter(({ voiceProviderId }) => voiceProviderId === id).length;
  const before = (act: () => Promise<unknown>): TenantContext => {
    let isDone = false;
    const commit: TenantContext["store"]["commit"] = async (...args) => {
      if (!isDone) {
        isDone = true;
        await act();
      }
      return one.store.commit(...args);
    };
    return { ...one, store: { ...one.store, commit } };
  };

  const first = await addProvider(one);
  await activate(one, first, false);
  const assignedMeanwhile = before(async () => {
    await activate(one, first, true);
    await assign(one, first);
    await activate(one, first, false);
  });
  await expect(deleteVoiceProvider(assignedMeanwhile, first, undefined)).rejects.toMatchObject({ code: "not_doable" });
  expect([await agentsOf(first), (await one.store.get(keys.voiceProvider(first)))?.isActive]).toEqual([1, false]);

  const second = await addProvider(one);
  const deletedMeanwhile = before(async () => {
    await activate(one, second, false);
    await deleteVoiceProvider(one, second, undefined);
  });
  await expect(assign(deletedMeanwhile, second)).rejects.toMatchObject({ code: "not_found" });
  expect(await agentsOf(second)).toBe(0);

  for (let round = 0; round < 5; round++) {
    const id = await addProvider(one);
    await Promise.allSettled([
      assign(one, id),
      activate(one, id, false).then(() => deleteVoiceProvider(one, id, undefined)),
      activate(one, id, true).then(() => assign(one, id)),
    ]);
    const isThere = (await one.store.get(keys.voiceProvider(id))) !== undefined;
    expect([isThere, (await agentsOf(id)) > 0]).toSatisfy(([there, used]: boolean[]) => there || !used);
  }
});
