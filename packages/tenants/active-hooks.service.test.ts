import { ChangedVoiceProvider, NewVoiceProvider } from "@vitaline/contract";
import { keys, remove, type TenantContext } from "@vitaline/store";
import { createVoiceProvider, deleteVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { createTenant, maxVoiceProviders, updateTenant } from "./index.ts";
import { saveTenant } from "./update.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
const profile = { name: "Clinic", organizationType: "clinic", contactEmail: "office@clinic.example" } as const;
beforeAll(async () => {
  it = await startTestAws();
  [one, two] = (await Promise.all([1, 2].map(() => createTenant(it.platform(), profile)))).map(({ id }) => it.inTenant(id)) as [
    TenantContext,
    TenantContext,
  ];
});
afterAll(() => it.close());

const provider = async (ctx: TenantContext) =>
  (
    await createVoiceProvider(
      ctx,
      NewVoiceProvider.parse({
        providerType: "vapi",
        providerName: "Vapi",
        config: { apiKey: "key-1234567890" },
        webhookSecret: "secret-of-the-hook-1",
      }),
    )
  ).id;
const isSuspended = async (id: string) => (await it.platform().platform.get(keys.hookBeforeTenant(id)))?.suspended === true;
const turn = (ctx: TenantContext, isActive: boolean) => updateTenant(it.platform(), ctx.tenantId, { ...profile, isActive });

test("with its tenant every hook is refused and let in again, and the other tenant's stays", async () => {
  const [a, b, foreign] = [await provider(one), await provider(one), await provider(two)];
  const all = () => Promise.all([a, b, foreign].map(isSuspended));
  expect(await all()).toEqual([false, false, false]);
  await turn(one, false);
  expect(await all()).toEqual([true, true, false]);
  const kept = await it.platform().platform.get(keys.hookBeforeTenant(a));
  expect(kept).toMatchObject({ tenantId: one.tenantId, providerType: "vapi", isActive: true, ciphertext: expect.any(String) as string });
  await updateTenant(it.platform(), one.tenantId, { ...profile, name: "Renamed", isActive: false });
  expect(await all()).toEqual([true, true, false]);
  await turn(one, true);
  expect(await all()).toEqual([false, false, false]);
});

test("a provider without a hook does not keep its tenant from being switched, and gets none that would let anything in", async () => {
  const id = await provider(two);
  const audit = { category: "configuration_change", action: "voiceProvider.update", resourceType: "VoiceProvider" } as const;
  await two.store.commit([remove(keys.hook(id))], audit);
  await turn(two, false);
  expect(await it.platform().platform.get(keys.hookBeforeTenant(id))).toEqual({ tenantId: two.tenantId, suspended: true });
  await turn(two, true);
  expect(await it.platform().platform.get(keys.hookBeforeTenant(id))).toEqual({ tenantId: two.tenantId });
});

const having = (ctx: TenantContext, change: Partial<TenantContext["store"]>): TenantContext => ({
  ...ctx,
  store: { ...ctx.store, ...change },
});
const off = (ctx: TenantContext, ifMatch?: number) => saveTenant(ctx, "tenant.update", ifMatch, () => ({ isActive: false }));
const fresh = async (): Promise<TenantContext> => it.inTenant((await createTenant(it.platform(), profile)).id);

test("a provider that is made while its tenant is being switched off is switched off too", async () => {
  const ctx = await fresh();
  const before = await provider(ctx);
  const made: string[] = [];
  const commit: TenantContext["store"]["commit"] = async (...args) => {
    if (made.length === 0) made.push(await provider(ctx));
    return ctx.store.commit(...args);
  };
  await off(having(ctx, { commit }));
  expect(await Promise.all([before, ...made].map(isSuspended))).toEqual([true, true]);
  expect(await isSuspended(await provider(ctx))).toBe(true);
});

test("a provider that is deleted while its tenant is being switched leaves no hook, and one that is added in its place is switched too", async () => {
  const ctx = await fresh();
  const going = await provider(ctx);
  await updateVoiceProvider(ctx, going, ChangedVoiceProvider.parse({ isActive: false }), undefined);
  const made: string[] = [];
  const commit: TenantContext["store"]["commit"] = async (...args) => {
    if (made.length === 0) {
      await deleteVoiceProvider(ctx, going, undefined);
      made.push(await provider(ctx));
    }
    return ctx.store.commit(...args);
  };
  await off(having(ctx, { commit }));
  expect(await it.platform().platform.get(keys.hookBeforeTenant(going))).toBeUndefined();
  expect(await Promise.all(made.map(isSuspended))).toEqual([true]);
});

test("while the list of providers is behind their count nothing is switched, and then all are", async () => {
  const ctx = await fresh();
  const ids = [await provider(ctx), await provider(ctx)];
  let behind = 2;
  const query: TenantContext["store"]["query"] = async (...args) => {
    const page = await ctx.store.query(...args);
    return behind-- > 0 ? { ...page, rows: page.rows.slice(1) } : page;
  };
  const late = having(ctx, { query });
  await expect(off(late, 1)).rejects.toMatchObject({ code: "stale_version" });
  expect(await Promise.all(ids.map(isSuspended))).toEqual([false, false]);
  await off(late);
  expect(await Promise.all(ids.map(isSuspended))).toEqual([true, true]);
});

test("of many providers that are made at once as many stand as may, and a switch reaches every one", async () => {
  const ctx = await fresh();
  while ((await ctx.store.get(keys.tenantConfig()))!.voiceProviderCount! < maxVoiceProviders - 2) await provider(ctx);
  await Promise.allSettled(Array.from({ length: 8 }, () => provider(ctx)));
  const { rows } = await ctx.store.query<{ id: string }>(keys.tenantPartitions.config(ctx.tenantId), { prefix: "VOICE#" });
  expect(rows).toHaveLength(maxVoiceProviders);
  await turn(ctx, false);
  expect(await Promise.all(rows.map(({ id }) => isSuspended(id)))).toEqual(rows.map(() => true));
});
