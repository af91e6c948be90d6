import { newId } from "@vitaline/core";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { scopes, type StoreScope } from "./entities/entity.ts";
import { keys, remove } from "./index.ts";
import { platformStore } from "./platform.ts";
import { storeOf, type AccountContext, type EhrRegistryContext, type ScopedContext, type ScopedStore } from "./scoped.ts";

type Template = (...ids: string[]) => keys.Key<unknown>;
const templates = Object.entries(keys).flatMap(([name, value]) =>
  typeof value === "function" && name !== "callKeyOf" ? [[name, (value as Template)("a1", "b2", "c3", "d4")] as const] : [],
);
const audit = { category: "configuration_change", action: "office.update", resourceType: "Office" } as const;
const refusal = /is outside this handle's scopes/;

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
}, 90_000);
afterAll(() => it.close());

/** The operations of a handle that name a key. */
const attempts = (store: ScopedStore<StoreScope>, key: keys.Key<unknown>): Record<string, () => Promise<unknown>> => ({
  get: () => store.get(key as never),
  batchGet: () => store.batchGet([key as never]),
  commit: () => store.commit([remove(key)], audit),
  writeUnaudited: () => store.writeUnaudited(remove(key)),
});
const isRefused = async (attempt: () => Promise<unknown>): Promise<boolean> =>
  attempt().then(
    () => false,
    (error: unknown) => refusal.test(String(error)),
  );
const mayReach = (scope: StoreScope, key: keys.Key<unknown>) =>
  key.scope === "tenant" ? key.sharedWith?.[scope] === true : key.scope === scope;

describe.each(scopes.map((scope) => [scope] as const))("a handle of the scope %s", (scope) => {
  test("refuses every key of another scope, in both tenants and outside them", async () => {
    const store = storeOf(it.platform(), [scope]);
    const handles = [store, ...it.tenants.map((tenantId) => store.inTenant(tenantId)), store.as({ kind: "system", id: "other" })];
    for (const handle of handles)
      for (const [name, key] of templates)
        for (const [operation, attempt] of Object.entries(attempts(handle as unknown as ScopedStore<StoreScope>, key)))
          expect([name, operation, await isRefused(attempt)]).toEqual([name, operation, !mayReach(scope, key)]);
  });

  test("lists no partition of another scope and none of a tenant", async () => {
    const store = storeOf(it.platform(), [scope]).inTenant(it.tenants[0]);
    const own = templates.flatMap(([, key]) => (key.scope === scope ? [key.primaryKey.pk] : []));
    const foreign = templates.flatMap(([, key]) =>
      key.scope === "tenant" ? it.tenants.map((tenantId) => key.primaryKeyIn(tenantId).pk) : key.scope === scope ? [] : [key.primaryKey.pk],
    );
    // The directory's rows belong to tenants, in partitions of the directory.
    if (scope === "directory") own.push(keys.partitions.tenantDirectory, keys.partitions.voice);
    for (const partition of foreign.filter((each) => !own.includes(each)))
      await expect(async () => store.query(partition), partition).rejects.toThrow("may not list");
  });
});

test("a handle of two scopes reaches both in one transaction, with one audit row in the tenant's log", async () => {
  const [tenantId, other] = [newId(), newId()];
  const [userId, month] = [newId(), new Date().toISOString().slice(0, 7)];
  const store = storeOf(it.platform(), ["accounts", "throttle"]).inTenant(tenantId);
  await store.commit([remove(keys.user(userId)), remove(keys.throttle("login", "a", "1"))], audit);
  const log = (id: string) => it.inTenant(id).store.query(keys.tenantPartitions.audit(id, month, "configuration_change"));
  expect((await log(tenantId)).rows).toHaveLength(1);
  expect((await log(other)).rows).toEqual([]);
  expect(await isRefused(() => store.commit([remove(keys.user(userId)), remove(keys.fhirProvider("p1"))], audit))).toBe(true);
});

test("a tenant's shared row needs the tenant, and is read from that tenant alone", async () => {
  const [tenantId, other] = it.tenants;
  const row = { id: "o1", name: "Main", isActive: true, createdAt: "2026-01-01" };
  await it.inTenant(tenantId).store.commit([{ verb: "put", key: keys.office("o1"), row }], audit);
  const store = storeOf(it.platform(), ["ehr"]);
  await expect(store.get(keys.office("o1"))).rejects.toThrow("office needs a tenant's handle");
  expect(await store.inTenant(tenantId).get(keys.office("o1"))).toMatchObject({ name: "Main" });
  expect(await store.inTenant(other).get(keys.office("o1"))).toBeUndefined();
});

test("a narrow handle writes only bookkeeping without audit, also for the system", async () => {
  const store = storeOf(it.platform({ kind: "system", id: "project" }), ["accounts"]);
  await expect(store.writeUnaudited(remove(keys.user("u1")))).rejects.toThrow("user is not bookkeeping");
});

test("types: a narrow handle takes no other key, and does not pass as a wider one", () => {
  const store = storeOf(it.platform(), ["accounts"]);
  expectTypeOf(store.get<unknown>)
    .parameter(0)
    .not.toEqualTypeOf<keys.Key<unknown>>();
  // @ts-expect-error An EHR's row is in another scope.
  void (() => store.get(keys.fhirProvider("p1")));
  // @ts-expect-error A call is no row of an account.
  void (() => store.inTenant("t1").get(keys.call("c1")));
  expectTypeOf(platformStore(it.platform())).toExtend<AccountContext["platform"]>();
  expectTypeOf<ScopedContext<"ehr" | "accounts">>().toExtend<EhrRegistryContext>();
  expectTypeOf<EhrRegistryContext>().not.toExtend<ScopedContext<"ehr" | "accounts">>();
  expectTypeOf<EhrRegistryContext>().not.toExtend<AccountContext>();
});
