import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import {
  check,
  create,
  keys,
  put,
  remove,
  update,
  type Audit,
  type AuditRow,
  type LeadRow,
  type OfficeRow,
  type TenantContext,
} from "../index.ts";
import { table } from "./table.ts";

type Sent = { Item?: Record<string, unknown>; ConditionExpression?: string };

const audit: Audit = {
  category: "configuration_change",
  action: "office.create",
  resourceType: "office",
  resourceId: "o1",
  detail: { count: 1 },
};
const office = (id: string): OfficeRow => ({ id, name: `Office ${id}`, isActive: true, createdAt: "2026-01-01T00:00:00.000Z" });
const ms = (row: { expiresAt: number }) => row.expiresAt * 1000;

async function auditOf({ store, tenantId }: TenantContext): Promise<AuditRow[]> {
  const month = new Date().toISOString().slice(0, 7);
  return (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, month, "configuration_change"))).rows;
}

describe.skipIf(isDatabaseMissing)(`on ${database}`, () => {
  let it: TestAws;
  let ctx: TenantContext;
  let other: TenantContext;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());
  const fresh = async (): Promise<void> => {
    const { newId } = await import("@vitaline/core");
    [ctx, other] = [it.inTenant(newId(), { kind: "user", id: "u1", role: "tenant_admin" }), it.inTenant(newId())];
  };

  test("A06: an audit row is written only where none is, alone and with other rows", async () => {
    await fresh();
    const sending = vi.spyOn(table().client, "send");
    await ctx.store.commit([], audit);
    await ctx.store.commit([create(keys.office("o1"), office("o1"))], audit);
    const puts = sending.mock.calls.flatMap(([{ input }]) => {
      const { Item, ConditionExpression, TransactItems = [] } = input as Sent & { TransactItems?: { Put?: Sent }[] };
      return [{ Item, ConditionExpression }, ...TransactItems.map(({ Put }) => Put ?? {})];
    });
    sending.mockRestore();
    const ofAudit = puts.filter(({ Item }) => String(Item?.["pk"]).includes("#AUDIT#"));
    expect(ofAudit).toHaveLength(2);
    for (const { ConditionExpression } of ofAudit) expect(ConditionExpression).toContain("attribute_not_exists(pk)");
  });

  test("a commit writes its rows, and an audit row with actor and action into the tenant's log", async () => {
    await fresh();
    await ctx.store.commit([create(keys.office("o1"), office("o1")), put(keys.officeName("main"), { id: "o1" })], audit);
    expect(await ctx.store.batchGet([keys.office("o1"), keys.officeName("Main")])).toEqual([office("o1"), { id: "o1" }]);
    const [row] = await auditOf(ctx);
    expect(row).toMatchObject({
      ...audit,
      success: true,
      tenantId: ctx.tenantId,
      actorKind: "user",
      actorId: "u1",
      clientAddress: ctx.clientAddress,
      requestId: ctx.requestId,
    });
    expect(ms(row!)).toBeGreaterThan(Date.now() + 6.9 * 365 * 86_400_000);
    expect(await auditOf(other)).toEqual([]);
  });

  test("a commit without rows writes only the audit row", async () => {
    await fresh();
    await ctx.store.commit([], { ...audit, success: false, code: "forbidden" });
    expect(await auditOf(ctx)).toMatchObject([{ success: false, code: "forbidden" }]);
  });

  test("creating an existing row is a duplicate: no row changes and nothing is audited", async () => {
    await fresh();
    await ctx.store.commit([create(keys.office("o1"), office("o1"))], audit);
    const again = ctx.store.commit(
      [create(keys.office("o2"), office("o2")), create(keys.office("o1"), { ...office("o1"), name: "Other" })],
      audit,
    );
    await expect(again).rejects.toMatchObject({ code: "duplicate" });
    expect(await ctx.store.batchGet([keys.office("o1"), keys.office("o2")])).toEqual([office("o1"), undefined]);
    expect(await auditOf(ctx)).toHaveLength(1);
  });

  test("changing a row that was changed or deleted concurrently is a stale version and changes nothing", async () => {
    await fresh();
    await ctx.store.commit([create(keys.office("o1"), office("o1"))], audit);
    const rename = (was: string) =>
      ctx.store.commit([update(keys.office("o1"), { set: { name: "New" } }, { equals: { name: was } })], audit);
    await expect(rename("Never so")).rejects.toMatchObject({ code: "stale_version" });
    await expect(ctx.store.commit([remove(keys.office("o2"), { exists: true })], audit)).rejects.toMatchObject({ code: "stale_version" });
    expect(await ctx.store.get(keys.office("o1"))).toEqual(office("o1"));
    await rename("Office o1");
    expect(await ctx.store.get(keys.office("o1"))).toEqual({ ...office("o1"), name: "New" });
  });

  test("a check makes a commit depend on another row without writing it", async () => {
    await fresh();
    const linked = (id: string) =>
      ctx.store.commit([create(keys.office(id), office(id)), check(keys.officeName("main"), { equals: { id: "o1" } })], audit);
    await expect(linked("o2")).rejects.toMatchObject({ code: "stale_version" });
    await ctx.store.commit([put(keys.officeName("main"), { id: "o1" })], audit);
    await linked("o2");
    expect(await ctx.store.batchGet([keys.office("o2"), keys.officeName("main")])).toEqual([office("o2"), { id: "o1" }]);
  });

  test("every kind of condition and change works", async () => {
    await fresh();
    const key = keys.callState("c1");
    const base = { level: 0 as const, tries: 0, expiresAt: 4_000_000_000 };
    expect(await ctx.store.writeUnaudited(put(key, base, { exists: false }))).toEqual(base);
    expect(await ctx.store.writeUnaudited(put(key, base, { exists: false }))).toBeUndefined();
    expect(
      await ctx.store.writeUnaudited(update(key, { add: { tries: 1, factors: new Set(["phone"]) }, setOnce: { patientId: "p1" } })),
    ).toMatchObject({ tries: 1, patientId: "p1" });
    expect(
      await ctx.store.writeUnaudited(update(key, { add: { tries: 2, factors: new Set(["name"]) }, setOnce: { patientId: "p2" } })),
    ).toMatchObject({ tries: 3, patientId: "p1", factors: new Set(["name", "phone"]) });
    expect(await ctx.store.writeUnaudited(update(key, { set: { level: 1 } }, { notEquals: { level: 0 } }))).toBeUndefined();
    expect(await ctx.store.writeUnaudited(update(key, { set: { level: 1 } }, { absent: ["patientId"] }))).toBeUndefined();
    expect(await ctx.store.writeUnaudited(update(key, { set: { level: 1 } }, { lessThanOrAbsent: { tries: 3 } }))).toBeUndefined();
    expect(
      await ctx.store.writeUnaudited(
        update(key, { set: { level: 1 }, remove: ["patientId"] }, { lessThanOrAbsent: { tries: 4 }, absent: ["callEndedAt"] }),
      ),
    ).toMatchObject({ level: 1 });
    const left = await ctx.store.get(key);
    expect(left).not.toHaveProperty("patientId");
    expect(await ctx.store.writeUnaudited(remove(key, { equals: { level: 2 } }))).toBeUndefined();
    expect(await ctx.store.writeUnaudited(remove(key, { equals: { level: 1 } }))).toEqual({});
    expect(await ctx.store.get(key)).toBeUndefined();
  });

  test("C06: only the system's platform handle sets the expiry of a lead or task without audit, and no other attribute with it", async () => {
    await fresh();
    const key = keys.lead("l1");
    const row = { id: "l1", at: "2026-01-01T00:00:00.000Z", reason: "other", sealed: "x", version: 1, expiresAt: 4_000_000_000 } as const;
    await ctx.store.commit([put(key, row)], audit);
    const end = update<LeadRow>(key, { set: { expiresAt: 4_100_000_000 } }, { exists: true });
    const more = update<LeadRow>(key, { set: { expiresAt: 4_100_000_000, handledAt: row.at } });
    const system = it.platform().platform.inTenant(ctx.tenantId);
    const person = it.platform({ kind: "user", id: "u1", role: "system_admin" }).platform.inTenant(ctx.tenantId);
    await expect(ctx.store.writeUnaudited(end)).rejects.toThrow("lead is not bookkeeping");
    await expect(person.writeUnaudited(end)).rejects.toThrow("lead is not bookkeeping");
    for (const write of [more, remove(key), put(key, row)])
      await expect(system.writeUnaudited(write)).rejects.toThrow("lead is not bookkeeping");
    expect(await system.writeUnaudited<LeadRow>(end)).toEqual({ ...row, expiresAt: 4_100_000_000 });
  });

  test("C06: the expiry of rows without a tenant's retention period cannot be set without audit: an audit row keeps its own", async () => {
    await fresh();
    await ctx.store.commit([create(keys.office("o1"), office("o1"))], audit);
    const [row] = await auditOf(ctx);
    const key = keys.audit(row!.at.slice(0, 7), row!.category, row!.id);
    const system = it.platform().platform;
    const end = { set: { expiresAt: 1 } };
    await expect(system.inTenant(ctx.tenantId).writeUnaudited(update(key, end))).rejects.toThrow("audit is not bookkeeping");
    await expect(system.writeUnaudited(update(keys.mailedToken("t1"), end))).rejects.toThrow("mailedToken is not bookkeeping");
    expect(await auditOf(ctx)).toEqual([row]);
  });

  test("only bookkeeping rows can be written without audit", async () => {
    await fresh();
    await ctx.store.writeUnaudited(
      update(keys.counter("phone", "caller", "2026-01-01T00"), { add: { count: 1 }, set: { expiresAt: 4_000_000_000 } }),
    );
    expect(await auditOf(ctx)).toEqual([]);
    await expect(ctx.store.writeUnaudited(put(keys.office("o1"), office("o1")))).rejects.toThrow("office is not bookkeeping");
    expect(await ctx.store.get(keys.office("o1"))).toBeUndefined();
  });

  test("of concurrent commits to one row each succeeds or reports its failure", async () => {
    await fresh();
    const counted = () => ctx.store.commit([update(keys.tenantConfig(), { add: { epoch: 1 } })], audit);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, counted));
    const done = outcomes.filter(({ status }) => status === "fulfilled").length;
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "unavailable" });
    expect(done).toBeGreaterThan(0);
    expect(await ctx.store.get(keys.tenantConfig())).toEqual({ epoch: done });
    expect(await auditOf(ctx)).toHaveLength(done);
  });

  test("of ten concurrent creations of one name one succeeds and nine are duplicates", async () => {
    await fresh();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => ctx.store.commit([create(keys.officeName("main"), { id: String(at) })], audit)),
    );
    const codes = outcomes.map((outcome) => (outcome.status === "fulfilled" ? "done" : (outcome.reason as { code: string }).code));
    expect(codes.filter((code) => code === "done")).toHaveLength(1);
    expect(codes.every((code) => ["done", "duplicate", "unavailable"].includes(code))).toBe(true);
  });
});
