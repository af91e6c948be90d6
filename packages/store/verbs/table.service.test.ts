import { newId } from "@vitaline/core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { create, keys, update, type AuditRow, type OfficeRow, type TenantContext } from "../index.ts";

const audit = { category: "configuration_change", action: "office.create", resourceType: "office" } as const;
const office: OfficeRow = { id: "o1", name: "Main", isActive: true, createdAt: "2026-01-01" };
type Fault = Exclude<Parameters<TestAws["fault"]>[0], undefined>;

let it: TestAws;
let ctx: TenantContext;
beforeAll(async () => {
  it = await startTestAws();
});
beforeEach(() => {
  it.fault();
  ctx = it.inTenant(newId());
});
afterAll(() => it.close());

/** Fails the first calls of an operation. */
const breakFirst = (times: number, operation: string, how: ReturnType<Fault>) => {
  let left = times;
  it.fault((call) => (call.operation === operation && left-- > 0 ? how : undefined));
};
const auditCount = async () =>
  (await ctx.store.query<AuditRow>(keys.tenantPartitions.audit(ctx.tenantId, new Date().toISOString().slice(0, 7), audit.category))).rows
    .length;
const broken = { status: 500, code: "InternalServerError", message: "later" };

test("a commit with a lost response is retried and happens once", async () => {
  breakFirst(1, "TransactWriteItems", "after");
  await ctx.store.commit([create(keys.office("o1"), office), update(keys.tenantConfig(), { add: { epoch: 1 } })], audit);
  expect(await ctx.store.get(keys.tenantConfig())).toEqual({ epoch: 1 });
  expect(await auditCount()).toBe(1);
});

test("a commit whose connection broke before it arrived is retried", async () => {
  breakFirst(2, "TransactWriteItems", "drop");
  await ctx.store.commit([create(keys.office("o1"), office)], audit);
  expect(await auditCount()).toBe(1);
});

test("a short conflict with another transaction is invisible to the caller", async () => {
  const conflict = { status: 400, code: "TransactionConflictException", message: "conflict" };
  breakFirst(3, "TransactWriteItems", conflict);
  await ctx.store.commit([create(keys.office("o1"), office)], audit);
  breakFirst(3, "UpdateItem", conflict);
  expect(await ctx.store.writeUnaudited(update(keys.counter("a", "b", "c"), { add: { count: 1 } }))).toEqual({ count: 1 });
});

test("a lasting conflict ends as unavailable with a retry time, and nothing is written", async () => {
  breakFirst(Infinity, "TransactWriteItems", { status: 400, code: "TransactionConflictException", message: "conflict" });
  await expect(ctx.store.commit([create(keys.office("o1"), office)], audit)).rejects.toMatchObject({
    code: "unavailable",
    retryAfterSeconds: 1,
  });
  it.fault();
  expect(await ctx.store.get(keys.office("o1"))).toBeUndefined();
});

test("a database that does not respond is unavailable in every operation, never an absent row or a failed condition", async () => {
  it.fault(() => broken);
  const unavailable = { code: "unavailable", retryAfterSeconds: 2 };
  await expect(ctx.store.get(keys.office("o1"))).rejects.toMatchObject(unavailable);
  await expect(ctx.store.batchGet([keys.office("o1")])).rejects.toMatchObject(unavailable);
  await expect(ctx.store.query(keys.tenantPartitions.config(ctx.tenantId))).rejects.toMatchObject(unavailable);
  await expect(ctx.store.commit([create(keys.office("o1"), office)], audit)).rejects.toMatchObject(unavailable);
  await expect(ctx.store.writeUnaudited(update(keys.counter("a", "b", "c"), { add: { count: 1 } }))).rejects.toMatchObject(unavailable);
});

test("our own mistakes are not reported as an outage", async () => {
  it.fault(() => ({ status: 400, code: "AccessDeniedException", message: "denied" }));
  await expect(ctx.store.get(keys.office("o1"))).rejects.toMatchObject({ name: "AccessDeniedException" });
  it.fault();
  await expect(ctx.store.batchGet(Array.from({ length: 101 }, (_, at) => keys.office(String(at))))).rejects.toMatchObject({
    name: "ValidationException",
  });
});

test("each operation is one round trip, and a commit of one small row with its audit costs four units", async () => {
  it.resetUsage();
  await ctx.store.commit([create(keys.office("o1"), office)], audit);
  await ctx.store.batchGet([keys.office("o1"), keys.tenantConfig(), keys.officeName("x")]);
  await ctx.store.query(keys.tenantPartitions.config(ctx.tenantId), { limit: 10 });
  await ctx.store.writeUnaudited(update(keys.counter("a", "b", "c"), { add: { count: 1 } }));
  expect(it.usage()).toMatchObject([
    { operation: "TransactWriteItems", readUnits: 0, writeUnits: 4 },
    { operation: "BatchGetItem", readUnits: 3, writeUnits: 0 },
    { operation: "Query", readUnits: 0.5, writeUnits: 0 },
    { operation: "UpdateItem", readUnits: 0, writeUnits: 1 },
  ]);
});
