import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { dueShards, keys, put, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { handler } from "./handler.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const invocation = {
  awsRequestId: "retry",
  functionName: "retry",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:111111111111:function:retry",
  getRemainingTimeInMillis: () => 55_000,
};
const past = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();

const makeDue = async (tenantIndex: 0 | 1, id: string, shard = "0", more: Partial<DueRow> = {}): Promise<void> => {
  const tenantId = it.tenants[tenantIndex];
  const row: DueRow = { kind: "idempotency", tenantId, id, dueAt: past(60), expiresAt: Math.floor(Date.now() / 1000) + 3600, ...more };
  await it.inTenant(tenantId).store.writeUnaudited(put(keys.due(shard, row.dueAt, row.kind, id), row));
};
/** A write of unknown outcome in a tenant without an EHR, so it cannot be recovered. */
const makeUnsettled = async (tenantIndex: 0 | 1, id: string): Promise<void> => {
  const { store } = it.inTenant(it.tenants[tenantIndex]);
  const started = {
    tool: "scheduleAppointment",
    callKey: "c",
    startedAtMs: Date.now() - 5000,
    requestId: "r",
    sealedWrite: "sealed",
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  await store.writeUnaudited(put(keys.idempotency(id), { ...started, status: "unknown" as const }));
  const tenant = {
    id: it.tenants[tenantIndex],
    name: "T",
    organizationType: "clinic" as const,
    contactEmail: "x@y.example",
    isActive: true,
    epoch: 0,
    apiKeyId: "k",
    timeZone: "UTC",
    createdAt: past(99),
  };
  await store.commit([put(keys.tenantConfig(), tenant)], { category: "configuration_change", action: "test", resourceType: "Tenant" });
};
const dueRows = async (shard = "0"): Promise<DueRow[]> => (await it.platform().platform.query<DueRow>(partitions.due(shard))).rows;

test("due work that is done meanwhile is removed, in every shard", async () => {
  for (const shard of dueShards) await makeDue(0, `settled-${shard}`, shard);
  await handler({}, invocation);
  for (const shard of dueShards) expect(await dueRows(shard)).toEqual([]);
});

test("work that fails waits twice as long each time, and is never dropped", async () => {
  await makeUnsettled(0, "later");
  await makeDue(0, "later", "0", { tries: 2 });
  await handler({}, invocation);
  const rows = await dueRows();
  expect(rows).toMatchObject([{ id: "later", tenantId: it.tenants[0], tries: 3 }]);
  expect(Math.round((Date.parse(rows[0]?.dueAt ?? "") - Date.now()) / 60_000)).toBe(4);
});

test("one tenant's failures do not stop another tenant's work", async () => {
  for (let i = 0; i < 30; i++) {
    await makeUnsettled(0, `a${i}`);
    await makeDue(0, `a${i}`, "1", { dueAt: past(120) });
  }
  await makeDue(1, "b", "1", { dueAt: past(30) });
  await handler({}, invocation);
  const rows = await dueRows("1");
  expect(rows.filter(({ tenantId }) => tenantId === it.tenants[1])).toEqual([]);
  expect(rows.filter(({ tries }) => tries !== undefined)).toHaveLength(3);
  expect(rows).toHaveLength(30);
});
