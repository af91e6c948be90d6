import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { newId } from "@vitaline/core";
import { type AuditRow, keys, remove, type TenantContext, tenantStore, type ToolRunRow } from "@vitaline/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { toolRuns } from "./tool-runs.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
afterEach(() => it.close());

const noon = Date.parse("2026-03-20T12:00:00.000Z");
const begun = "2026-03-01T00:00:00.000Z";
const clinic = (at: 0 | 1): TenantContext => {
  const ctx = { ...it.inTenant(it.tenants[at]), clock: () => new Date(noon) };
  return { ...ctx, store: tenantStore(ctx, ctx.tenantId) };
};
const callKey = keys.callKeyOf("vapi", "a");
type Item = Record<string, unknown>;

/** A tool's audit row, and that of the run with the same id. */
function rowsOf(
  { tenantId }: TenantContext,
  atMs: number,
  more: Partial<AuditRow> = {},
): { id: string; audit: Item; run: Item; indexed: Item } {
  const id = newId(atMs);
  const at = new Date(atMs).toISOString();
  const common = { id, at, success: true, requestId: `request-${id}`, callKey, expiresAt: 4e9 };
  const audit: AuditRow = {
    ...{ ...common, tenantId, actorKind: "api_key", actorId: "key", category: "api_call", action: "tool.getOfficeInfo" },
    ...{ resourceType: "Tool", clientAddress: "", detail: { tool: "getOfficeInfo", ms: 7, platform: "vapi" } },
    ...more,
  };
  const run: ToolRunRow = { ...common, tool: "getOfficeInfo", ms: 7, callKey: audit.callKey ?? callKey };
  return {
    id,
    audit: { ...audit, ...keys.audit(at.slice(0, 7), audit.category, id).primaryKeyIn(tenantId) },
    run: { ...run, ...keys.toolRun(run.callKey, id).primaryKeyIn(tenantId) },
    indexed: { gsi1pk: keys.tenantPartitions.runs(tenantId), gsi1sk: id },
  };
}

async function write(items: readonly Item[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });
  for (let from = 0; from < items.length; from += 25) {
    const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [process.env["TABLE_NAME"] ?? ""]: requests } }));
  }
}

test("the log of tool runs lists those of calls, older ones that are in the index too, and no other tenant's, other acts, or runs in the console", async () => {
  const [one, two] = [clinic(0), clinic(1)];
  // Before the tenant itself, as in the demo
  const older = rowsOf(one, Date.parse(begun) - 80 * 86_400_000);
  const newer = rowsOf(one, noon - 4000, { category: "patient_access" });
  const theirs = rowsOf(two, noon - 3000);
  const others = [
    rowsOf(one, noon - 2000, { detail: { tool: "getOfficeInfo", ms: 7, platform: "test", test: true } }),
    rowsOf(one, noon - 1500, { action: "tool.settle" }),
    rowsOf(one, noon - 1000, { action: "lead.read", detail: {} }),
  ];
  await write([older.audit, { ...older.run, ...older.indexed }, newer.audit, newer.run, theirs.audit, theirs.run]);
  await write(others.map(({ audit }) => audit));
  const { rows, next } = await toolRuns(one, begun, {});
  expect(next).toBeUndefined();
  expect(rows.map(({ id }) => id)).toEqual([newer.id, older.id]);
  expect(rows[1]).toEqual({
    ...{
      id: older.id,
      createdAt: new Date(Date.parse(begun) - 80 * 86_400_000).toISOString(),
      toolName: "getOfficeInfo",
      status: "succeeded",
      code: null,
    },
    ...{ ms: 7, requestId: `request-${older.id}`, callId: callKey },
  });
  expect((await toolRuns(two, begun, {})).rows.map(({ id }) => id)).toEqual([theirs.id]);
});

test("the log of tool runs has none whose row was erased or has expired, and goes on to the kept ones before", async () => {
  const [one, two] = [clinic(0), clinic(1)];
  const kept = rowsOf(one, noon - 9000);
  const erased = Array.from({ length: 5 }, (_, index) => rowsOf(one, noon - 5000 + index));
  const expired = rowsOf(one, noon - 1000);
  const theirs = rowsOf(two, noon - 1000);
  await write([kept, ...erased, expired, theirs].flatMap(({ audit, run }) => [audit, run]));
  await write([{ ...expired.run, expiresAt: noon / 1000 - 1 }]);
  for (const { id } of erased)
    await it
      .platform()
      .platform.inTenant(one.tenantId)
      .writeUnaudited(remove(keys.toolRun(callKey, id)));
  expect((await toolRuns(one, begun, { limit: 2 })).rows.map(({ id }) => id)).toEqual([kept.id]);
  expect((await toolRuns(two, begun, {})).rows).toHaveLength(1);
});

test("a new tenant without tool runs is told so after the few months in which there could be one", async () => {
  for (const ctx of [clinic(0), clinic(1)]) {
    await toolRuns(ctx, begun, { limit: 1 });
    it.resetUsage();
    expect(await toolRuns(ctx, begun, { limit: 1 })).toEqual({ rows: [], next: undefined });
    // March back to December, two categories each
    expect(it.usage().map(({ operation }) => operation)).toEqual(Array.from({ length: 8 }, () => "Query"));
  }
});

test("a page of tool runs costs the same among a thousand and ten thousand", async () => {
  const [one, two] = [clinic(0), clinic(1)];
  const spent = async (ctx: TenantContext) => {
    // The tenant's periods are cached.
    await toolRuns(ctx, begun, { limit: 1 });
    it.resetUsage();
    const { rows } = await toolRuns(ctx, begun, { limit: 50 });
    expect(rows).toHaveLength(50);
    return it.usage().map(({ operation, readUnits }) => [operation, readUnits]);
  };
  const add = (ctx: TenantContext, count: number, lastMs: number) =>
    write(Array.from({ length: count }, (_, index) => rowsOf(ctx, lastMs - index)).flatMap(({ audit, run }) => [audit, run]));
  await add(one, 1000, noon - 1);
  await add(two, 200, noon - 1);
  const first = await spent(one);
  expect(first.map(([operation]) => operation)).toEqual(["Query", "Query", "BatchGetItem"]);
  const theirs = await spent(two);
  await add(one, 9000, noon - 2000);
  expect(await spent(one)).toEqual(first);
  expect(await spent(two)).toEqual(theirs);
});
