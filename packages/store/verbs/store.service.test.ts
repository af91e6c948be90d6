import fc from "fast-check";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { keys, put, remove, update, type AuditRow, type OfficeRow, type TenantContext } from "../index.ts";

const audit = { category: "configuration_change", action: "office.update", resourceType: "office" } as const;

type Act = { who: 0 | 1; id: string; name: string; verb: "put" | "update" | "remove" };
const act = fc.record<Act>({
  who: fc.constantFrom(0, 1),
  id: fc.constantFrom("a", "b", "c"),
  name: fc.string({ unit: "grapheme", maxLength: 5 }),
  verb: fc.constantFrom("put", "update", "remove"),
});
const row = ({ id, name }: Act): OfficeRow => ({ id, name, isActive: true, createdAt: "2026-01-01" });
const writeOf = (each: Act) => {
  const key = keys.office(each.id);
  return each.verb === "put" ? put(key, row(each)) : each.verb === "update" ? update(key, { set: row(each) }) : remove(key);
};

describe.skipIf(isDatabaseMissing)(`on ${database}`, () => {
  let it: TestAws;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());
  const tenants = (): [TenantContext, TenantContext] => [it.inTenant(newId()), it.inTenant(newId())];

  test("two tenants with the same ids each see only their own rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const contexts = tenants();
        const models: [Map<string, OfficeRow>, Map<string, OfficeRow>] = [new Map(), new Map()];
        for (const each of acts) {
          await contexts[each.who].store.commit([writeOf(each)], audit);
          if (each.verb === "remove") models[each.who].delete(each.id);
          else models[each.who].set(each.id, row(each));
        }
        for (const [at, { store, tenantId }] of contexts.entries()) {
          const ids = [...models[at]!.keys()].toSorted();
          const { rows } = await store.query<OfficeRow>(keys.tenantPartitions.config(tenantId));
          expect(rows).toEqual(ids.map((id) => models[at]!.get(id)));
          const log = await store.query<AuditRow>(
            keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "configuration_change"),
          );
          expect(log.rows).toHaveLength(acts.filter(({ who }) => who === at).length);
        }
      }),
      { numRuns: 20 },
    );
  }, 60_000);

  test("a tenant's handle lists only its own partitions, and none with a similar prefix", async () => {
    const [{ store, tenantId }, other] = tenants();
    const foreign = [
      keys.tenantPartitions.config(other.tenantId),
      keys.tenantPartitions.config(`${tenantId}x`),
      `TENANT#${tenantId}`,
      keys.partitions.tenantDirectory,
      keys.partitions.userDirectory,
    ];
    for (const partition of foreign) await expect(async () => store.query(partition)).rejects.toThrow("may not list");
  });

  test("a tenant's handle cannot name platform rows", async () => {
    const [{ store }] = tenants();
    const platformKey = keys.user("u1") as never;
    await expect(store.get(platformKey)).rejects.toThrow("user is not a tenant's row");
    await expect(store.batchGet([platformKey])).rejects.toThrow("user is not a tenant's row");
    await expect(store.commit([remove(platformKey)], audit)).rejects.toThrow("user is not a tenant's row");
  });

  test("the platform handle needs a tenant for a tenant's rows, and then audits in that tenant's log", async () => {
    const [ctx] = tenants();
    const { platform } = it.platform();
    const write = put(keys.office("o1"), { id: "o1", name: "A", isActive: true, createdAt: "2026-01-01" });
    await expect(platform.commit([write], audit)).rejects.toThrow("office needs a tenant's handle");
    await platform.inTenant(ctx.tenantId).commit([write], audit);
    expect(await ctx.store.get(keys.office("o1"))).toMatchObject({ name: "A" });
    const log = await ctx.store.query(
      keys.tenantPartitions.audit(ctx.tenantId, new Date().toISOString().slice(0, 7), "configuration_change"),
    );
    expect(log.rows).toHaveLength(1);
  });

  test("a lookup row belongs to the tenant that claimed it first", async () => {
    const [ctx, other] = tenants();
    const sha256 = newId();
    const claim = (context: TenantContext, keyId: string) =>
      context.store.commit([put(keys.keyLookup(sha256), { tenantId: context.tenantId, keyId, status: "active" })], audit);
    await claim(ctx, "k1");
    await expect(claim(other, "k2")).rejects.toMatchObject({ code: "stale_version" });
    await expect(other.store.commit([update(keys.keyLookup(sha256), { set: { status: "revoked" } })], audit)).rejects.toMatchObject({
      code: "stale_version",
    });
    await expect(other.store.commit([remove(keys.keyLookup(sha256))], audit)).rejects.toMatchObject({ code: "stale_version" });
    await claim(ctx, "k3");
    expect(await it.platform().platform.get(keys.keyLookupBeforeTenant(sha256))).toMatchObject({
      tenantId: ctx.tenantId,
      keyId: "k3",
      status: "active",
    });
  });
});
