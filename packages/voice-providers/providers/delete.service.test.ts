import { ChangedVoiceProvider, NewVoiceProvider, type VoiceProvider } from "@vitaline/contract";
import { type AuditRow, keys, update, type TenantContext, type TenantRow } from "@vitaline/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { createVoiceProvider, deleteOwnVoiceProvider, deleteVoiceProvider, tenantOfVoiceProvider, updateVoiceProvider } from "../index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeEach(async () => {
  it = await startTestAws();
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  [one, two] = it.tenants.map((id) => it.inTenant(id, { kind: "user", id: "root", role: "system_admin" })) as [
    TenantContext,
    TenantContext,
  ];
});
afterEach(() => it.close());

const add = (ctx: TenantContext, more: object = {}): Promise<VoiceProvider> =>
  createVoiceProvider(
    ctx,
    NewVoiceProvider.parse({
      ...{ providerType: "retellai", providerName: "Front desk", config: { apiKey: "retell-key-0042" } },
      ...{ isActive: false, webhookSecret: "secret-of-the-hook-1", ...more },
    }),
  );
const change = (ctx: TenantContext, id: string, body: object) => updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse(body), undefined);
const tenantRow = async (ctx: TenantContext) => (await ctx.store.get(keys.tenantConfig()))!;
const notFound = { code: "not_found" };
const audit = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;

/** Which of a provider's rows exist. */
const rowsOf = async (ctx: TenantContext, id: string): Promise<string[]> => {
  const all = [keys.voiceProvider(id), keys.voiceProviderDirectory(id), keys.ref(id), keys.sealedVoiceKey(id), keys.hook(id)];
  const found = await ctx.store.batchGet(all);
  return all.flatMap(({ entity }, at) => (found[at] ? [entity] : []));
};
const whole = ["voiceProvider", "voiceProviderDirectory", "ref", "sealedVoiceKey", "hook"];

/** Does something else between what a deletion reads and what it writes, once. */
const interrupted = (ctx: TenantContext, act: () => Promise<unknown>): TenantContext => {
  let isDone = false;
  const commit: TenantContext["store"]["commit"] = async (...args) => {
    if (!isDone) {
      isDone = true;
      await act();
    }
    return ctx.store.commit(...args);
  };
  return { ...ctx, store: { ...ctx.store, commit } };
};

test("of a deleted provider no row, no secret and no hook remain, with one audit row; others stay, and it is gone for a second deletion", async () => {
  const [going, staying, foreign] = [await add(one), await add(one), await add(two)];
  await deleteVoiceProvider(one, going.id, going.version);
  expect(await rowsOf(one, going.id)).toEqual([]);
  expect([await rowsOf(one, staying.id), await rowsOf(two, foreign.id)]).toEqual([whole, whole]);
  expect([(await tenantRow(one)).voiceProviderCount, (await tenantRow(two)).voiceProviderCount]).toEqual([1, 1]);
  await expect(deleteVoiceProvider(one, going.id, undefined)).rejects.toMatchObject(notFound);
  await expect(tenantOfVoiceProvider(it.platform(), going.id)).rejects.toMatchObject(notFound);
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await one.store.query<AuditRow>(keys.tenantPartitions.audit(one.tenantId, month, "configuration_change"));
  expect(rows.filter(({ action }) => action === "voiceProvider.delete")).toMatchObject([
    { actorId: "root", resourceType: "VoiceProvider", resourceId: going.id, detail: { providerType: "retellai", isDefault: false } },
  ]);
});

test("a provider is deleted only by its own tenant, while it is inactive, and in the version that was seen", async () => {
  const { id, version } = await add(one);
  for (const [ctx, asked] of [
    [two, id],
    [one, "0".repeat(26)],
    [it.inTenant("0".repeat(26)), id],
  ] as const)
    await expect(deleteVoiceProvider(ctx, asked, undefined)).rejects.toMatchObject(notFound);
  await change(one, id, { isActive: true });
  await expect(deleteVoiceProvider(one, id, version)).rejects.toMatchObject({ code: "stale_version" });
  await expect(deleteVoiceProvider(one, id, undefined)).rejects.toMatchObject({
    code: "not_doable",
    message: "This voice provider is active. Please deactivate it first.",
  });
  expect(await rowsOf(one, id)).toEqual(whole);
});

test("a provider that is activated while it is being deleted stays whole", async () => {
  const { id } = await add(one);
  const late = interrupted(one, () => change(one, id, { isActive: true }));
  await expect(deleteVoiceProvider(late, id, undefined)).rejects.toMatchObject({ code: "not_doable" });
  expect(await rowsOf(one, id)).toEqual(whole);
  expect((await tenantRow(one)).voiceProviderCount).toBe(1);
});

test("two deletions at once delete one provider, and count it once", async () => {
  const { id } = await add(one);
  await add(one);
  const ended = await Promise.allSettled([1, 2].map(() => deleteVoiceProvider(one, id, undefined)));
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(ended.find((each) => each.status === "rejected")?.reason).toMatchObject(notFound);
  expect((await tenantRow(one)).voiceProviderCount).toBe(1);
});

test("the default goes with its provider, and only with it, also where another is chosen meanwhile", async () => {
  const [a, b, c] = [await add(one, { isDefault: true }), await add(one), await add(one)];
  await deleteVoiceProvider(one, b.id, undefined);
  expect((await tenantRow(one)).defaultVoiceProviderId).toBe(a.id);
  await deleteVoiceProvider(
    interrupted(one, () => change(one, c.id, { isDefault: true })),
    a.id,
    undefined,
  );
  expect((await tenantRow(one)).defaultVoiceProviderId).toBe(c.id);
  await deleteVoiceProvider(one, c.id, undefined);
  expect(await tenantRow(one)).not.toHaveProperty("defaultVoiceProviderId");
  await add(one, { isDefault: true });
  const d = await add(one);
  await deleteVoiceProvider(
    interrupted(one, () => change(one, d.id, { isDefault: true })),
    d.id,
    undefined,
  );
  expect(await tenantRow(one)).not.toHaveProperty("defaultVoiceProviderId");
});

test("where providers are not counted yet a deletion counts them, also while another is added", async () => {
  const [a, b] = [await add(one), await add(one), await add(one)];
  await one.store.commit([update<TenantRow>(keys.tenantConfig(), { remove: ["voiceProviderCount"] })], audit);
  await expect(
    add(interrupted(one, () => deleteVoiceProvider(one, a.id, undefined))),
    "what it counted is no longer so",
  ).rejects.toMatchObject({ code: "stale_version" });
  expect((await tenantRow(one)).voiceProviderCount).toBe(2);
  await one.store.commit([update<TenantRow>(keys.tenantConfig(), { remove: ["voiceProviderCount"] })], audit);
  await deleteVoiceProvider(
    interrupted(one, () => add(one)),
    b.id,
    undefined,
  );
  expect((await tenantRow(one)).voiceProviderCount).toBe(2);
});

test("a tenant deletes its own provider where its policy lets it set them up", async () => {
  const { id } = await add(one);
  const foreign = await add(two);
  await expect(deleteOwnVoiceProvider(one, id, undefined)).rejects.toMatchObject({ code: "forbidden" });
  const allow = { set: { policies: { ownVoiceProviders: true } } };
  await one.store.commit([update<TenantRow>(keys.tenantConfig(), allow)], audit);
  await expect(deleteOwnVoiceProvider(one, foreign.id, undefined)).rejects.toMatchObject(notFound);
  await deleteOwnVoiceProvider(one, id, undefined);
  expect([await rowsOf(one, id), await rowsOf(two, foreign.id)]).toEqual([[], whole]);
});
