import { toolRuns } from "@vitaline/audit";
import { callMetrics, planUsage, recentCalls, recordCallEvent, toolUsage } from "@vitaline/calls";
import { platformMetrics } from "@vitaline/calls/metrics/platform-metrics.ts";
import { create, keys, remove, update, type TenantContext, type ToolRunRow } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { handler } from "./handler.ts";
import { incrementExactlyOnce } from "./stats/increment-exactly-once.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { rowKindOf } from "../../lib/dynamodb-stream/row-kind.ts";
import { positionOf } from "../../lib/dynamodb-stream/stream-event.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
beforeEach(async () => {
  test = await startTestAws();
  passed = 0;
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
});
afterEach(() => test.close());

const invocation = { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 };
const invoke = (records: unknown[], shardId = "shardId-0") =>
  handler({ Records: records, shardId, window: {}, state: {}, isFinalInvokeForWindow: false }, invocation);

/** Records written since the last call. */
const newRecords = async () => {
  const [all = []] = await stream.read();
  const records = all.slice(passed).map(({ record }) => record);
  passed = all.length;
  return records;
};
/** Projects until the projection's own writes are projected too. Returns the first new records. */
const projectAll = async () => {
  const first = await newRecords();
  for (let records = first; records.length > 0; records = await newRecords())
    expect(await invoke(records)).toEqual({ state: {}, batchItemFailures: [] });
  return first;
};

const ran = (
  ctx: TenantContext,
  tool: string,
  callKey: string | undefined,
  {
    success = true,
    booked = false,
    action = `tool.${tool}`,
    code,
  }: { success?: boolean; booked?: boolean; action?: string; code?: "emergency" } = {},
) =>
  ctx.store.commit([], {
    category: "patient_access",
    action,
    resourceType: "Patient",
    success,
    code,
    callKey,
    detail: { tool, ms: 12, platform: "vapi", ...(booked ? { booked: true } : {}) },
  });
const ended = { platform: "vapi", status: "completed", success: true, durationSeconds: 120 } as const;

describe("a call", () => {
  it("counts when it ends, once, for its own tenant and for the platform", async () => {
    await recordCallEvent(one, { platform: "vapi", callId: "a", status: "in_progress" });
    await projectAll();
    expect(await callMetrics(one, "all")).toMatchObject({ totalCalls: 0 });
    await recordCallEvent(one, { ...ended, callId: "a" });
    await recordCallEvent(one, { ...ended, callId: "a" });
    await projectAll();
    const counted = { totalCalls: 1, successfulCalls: 1, resolutionRate: 100, averageDuration: 120 };
    expect(await callMetrics(one, "all")).toMatchObject(counted);
    expect(await callMetrics(one, "24hours")).toMatchObject({ ...counted, costSavings: { hoursAutomated: 1 / 30 } });
    expect(await callMetrics(two, "all")).toMatchObject({ totalCalls: 0 });
    expect(await platformMetrics(test.platform())).toMatchObject({ totalCalls: 1, successfulCalls: 1 });
  });

  it("that is reported as forwarded or unsuccessful after it was counted is corrected in the totals", async () => {
    await recordCallEvent(two, { ...ended, callId: "b" });
    await recordCallEvent(two, { ...ended, callId: "c" });
    await projectAll();
    expect(await callMetrics(two, "30days")).toMatchObject({ totalCalls: 2, resolutionRate: 100 });
    await recordCallEvent(two, { platform: "vapi", callId: "b", status: "in_progress", forwarded: true });
    await recordCallEvent(two, {
      ...ended,
      callId: "c",
      status: "failed",
      endedReason: "pipeline-error",
      success: false,
      durationSeconds: 60,
    });
    await projectAll();
    expect(await callMetrics(two, "30days")).toMatchObject({
      totalCalls: 2,
      successfulCalls: 1,
      resolutionRate: 0,
      averageDuration: 90,
      costSavings: { hoursAutomated: 0 },
    });
  });
});

describe("C14: the bill of a month", () => {
  const lastMonth = new Date(new Date().setUTCDate(0));
  const inLastMonth = (): TenantContext => ({ ...one, clock: () => lastMonth });
  const billed = async (when: Date) => {
    const { calls, minutes, earlierMinutes } = await planUsage(one, {}, when.toISOString().slice(0, 7));
    return { calls, minutes, earlierMinutes };
  };

  it("does not change when a call is corrected or found later: that is billed in the later month, which tells its minutes apart", async () => {
    await recordCallEvent(inLastMonth(), { ...ended, callId: "known" });
    await projectAll();
    expect([await billed(lastMonth), await billed(new Date())]).toEqual([
      { calls: 1, minutes: 2, earlierMinutes: 0 },
      { calls: 0, minutes: 0, earlierMinutes: 0 },
    ]);
    await recordCallEvent(one, { ...ended, callId: "known", endedReason: "customer-ended-call", success: true, durationSeconds: 300 });
    const startedAt = new Date(lastMonth.getTime() - 86_400_000).toISOString();
    await recordCallEvent(one, { ...ended, callId: "found later", startedAt });
    await projectAll();
    expect([await billed(lastMonth), await billed(new Date())]).toEqual([
      { calls: 1, minutes: 2, earlierMinutes: 0 },
      { calls: 1, minutes: 5, earlierMinutes: 5 },
    ]);
    expect(await callMetrics(one, "all")).toMatchObject({ totalCalls: 2, averageDuration: 210 });
  });
});

describe("a tool run", () => {
  it("is counted, joins its call's timeline, and books a revenue event only when it succeeded", async () => {
    await recordCallEvent(one, { platform: "vapi", callId: "tools", status: "in_progress" });
    const callKey = keys.callKeyOf("vapi", "tools");
    await ran(one, "scheduleAppointment", callKey, { booked: true });
    await ran(one, "scheduleAppointment", callKey, { booked: true, success: false });
    await ran(one, "getPatientInfo", callKey);
    await ran(one, "getPatientInfo", undefined, { action: "patient.list" });
    await projectAll();
    expect(await toolUsage(one, "30days")).toEqual([
      { toolName: "scheduleAppointment", count: 2, successRate: 50 },
      { toolName: "getPatientInfo", count: 1, successRate: 100 },
    ]);
    expect(await toolUsage(two, "all")).toEqual([]);
    expect((await callMetrics(one, "all")).revenueEvents).toBe(1);
    expect((await platformMetrics(test.platform())).revenueEvents).toBe(1);
    const timeline = await one.store.query<ToolRunRow>(keys.tenantPartitions.callItems(one.tenantId, callKey), { prefix: "RUN#" });
    expect(timeline.rows.map(({ tool, success, ms }) => ({ tool, success, ms }))).toEqual([
      { tool: "scheduleAppointment", success: true, ms: 12 },
      { tool: "scheduleAppointment", success: false, ms: 12 },
      { tool: "getPatientInfo", success: true, ms: 12 },
    ]);
    expect((await recentCalls(one, {})).rows.find(({ id }) => id === callKey)?.toolsUsed).toEqual([
      "getPatientInfo",
      "scheduleAppointment",
    ]);
  });

  it("that was asked for in an emergency is listed as that, and counts neither as failed nor as succeeded", async () => {
    const before = await toolUsage(one, "30days");
    await recordCallEvent(one, { platform: "vapi", callId: "told", status: "in_progress" });
    const callKey = keys.callKeyOf("vapi", "told");
    await ran(one, "scheduleAppointment", callKey, { success: false, code: "emergency" });
    await projectAll();
    expect(await toolUsage(one, "30days")).toEqual(before);
    const { rows } = await toolRuns(one, new Date(0).toISOString(), {});
    expect(rows.filter(({ callId }) => callId === callKey)).toMatchObject([
      { toolName: "scheduleAppointment", status: "emergency", code: null },
    ]);
  });

  it("of unknown outcome that is recovered later counts once as a run and once as a booking", async () => {
    const callKey = keys.callKeyOf("vapi", "settled");
    await ran(one, "scheduleAppointment", keys.callKeyOf("vapi", "booked"), { booked: true });
    await projectAll();
    const before = [
      await toolUsage(two, "all"),
      (await callMetrics(two, "all")).revenueEvents,
      (await platformMetrics(test.platform())).revenueEvents,
    ];
    await recordCallEvent(two, { platform: "vapi", callId: "settled", status: "in_progress" });
    await ran(two, "scheduleAppointment", callKey, { success: false });
    await ran(two, "scheduleAppointment", callKey, { booked: true, action: "tool.settle" });
    await projectAll();
    expect(before).toEqual([[], 0, 1]);
    expect(await toolUsage(two, "all")).toEqual([{ toolName: "scheduleAppointment", count: 1, successRate: 0 }]);
    expect((await callMetrics(two, "all")).revenueEvents).toBe(1);
    expect((await platformMetrics(test.platform())).revenueEvents).toBe(2);
    const timeline = await two.store.query<ToolRunRow>(keys.tenantPartitions.callItems(two.tenantId, callKey), { prefix: "RUN#" });
    expect(timeline.rows.map(({ success }) => success)).toEqual([false]);
  });

  it("of an unknown call creates the call, and a later report completes it", async () => {
    const callKey = keys.callKeyOf("vapi", "silent");
    await ran(one, "getPatientInfo", callKey);
    await projectAll();
    const row = await one.store.get(keys.call(callKey));
    expect(row).toMatchObject({ status: "in_progress", platform: "vapi", forwarded: false, toolsUsed: new Set(["getPatientInfo"]) });
    await recordCallEvent(one, { ...ended, callId: "silent", startedAt: "2026-01-01T00:00:00.000Z" });
    expect(await one.store.get(keys.call(callKey))).toMatchObject({
      status: "completed",
      platformCallId: "silent",
      gsi1sk: row?.gsi1sk,
      startedAt: row?.startedAt,
    });
  });

  it("costs twelve write units outside the request: its row, its call and feed row, and four rows in one transaction; and a read of the call's runs", async () => {
    const callKey = keys.callKeyOf("vapi", "priced");
    await recordCallEvent(one, { platform: "vapi", callId: "priced", status: "in_progress" });
    await projectAll();
    await ran(one, "verifyInsurance", callKey);
    const records = await newRecords();
    test.resetUsage();
    await invoke(records);
    expect(
      test
        .usage()
        .map(({ operation, readUnits, writeUnits }) => ({ operation, readUnits, writeUnits }))
        .toSorted((a, b) => a.operation.localeCompare(b.operation)),
    ).toEqual([
      { operation: "PutItem", readUnits: 0, writeUnits: 1 },
      { operation: "PutItem", readUnits: 0, writeUnits: 1 },
      { operation: "Query", readUnits: 1, writeUnits: 0 },
      // The position, the tenant's totals and those of its day, and the platform's day; twice a plain write's units
      { operation: "TransactWriteItems", readUnits: 0, writeUnits: 8 },
      { operation: "UpdateItem", readUnits: 0, writeUnits: 2 },
    ]);
  });
});

it("people and tenants are counted from the directories, in both directions", async () => {
  const { platform } = test.platform();
  const audit = { category: "configuration_change", action: "test.seed", resourceType: "Test" } as const;
  const created = { createdAt: new Date().toISOString(), isActive: true };
  const user = (id: string) => ({
    ...created,
    id,
    email: `${id}@example.org`,
    role: "system_admin" as const,
    firstName: "A",
    lastName: "B",
  });
  const tenant = { ...created, id: "t", name: "T", organizationType: "clinic" as const, contactEmail: "t@example.org" };
  await platform.commit([create(keys.userDirectory("u1"), user("u1")), create(keys.userDirectory("u2"), user("u2"))], audit);
  for (const ctx of [one, two]) {
    await platform
      .inTenant(ctx.tenantId)
      .commit(
        [
          create(keys.tenantDirectory(), { ...tenant, id: ctx.tenantId }),
          create(keys.officeDirectory("o"), { ...created, id: "o", name: "Main" }),
        ],
        audit,
      );
  }
  await projectAll();
  expect(await platformMetrics(test.platform())).toMatchObject({ totalUsers: 2, totalTenants: 2, activeTenants: 2 });
  await platform.commit(
    [remove(keys.userDirectory("u1")), update(keys.userDirectory("u2"), { set: { lastLogin: created.createdAt } })],
    audit,
  );
  await platform.inTenant(two.tenantId).commit([update(keys.tenantDirectory(), { set: { isActive: false } })], audit);
  await projectAll();
  expect(await platformMetrics(test.platform())).toMatchObject({ totalUsers: 1, totalTenants: 2, activeTenants: 1 });
});

describe("delivery", () => {
  const totals = () => test.platform().platform.inTenant(one.tenantId).get(keys.stats("TOTAL"));

  it("repeated changes nothing, including the position", async () => {
    await recordCallEvent(one, { ...ended, callId: "again" });
    const records = await projectAll();
    const before = await totals();
    await invoke(records);
    await invoke(records.slice(1));
    expect(await totals()).toEqual(before);
  });

  it("of changes that cancel out moves the position too: one of them alone must not count later", async () => {
    const { platform } = test.platform();
    const audit = { category: "configuration_change", action: "test.seed", resourceType: "Test" } as const;
    const row = {
      id: "u3",
      email: "u3@example.org",
      role: "system_admin",
      firstName: "A",
      lastName: "B",
      isActive: true,
      createdAt: new Date().toISOString(),
    } as const;
    await projectAll();
    const before = await platformMetrics(test.platform());
    await platform.commit([create(keys.userDirectory("u3"), row)], audit);
    await platform.commit([remove(keys.userDirectory("u3"))], audit);
    const records = await newRecords();
    await invoke(records);
    await invoke(records.slice(-2));
    await invoke(records.slice(0, 2));
    expect(await platformMetrics(test.platform())).toEqual(before);
  });

  it("that AWS interrupts fails, and the retry counts exactly the rest", async () => {
    await recordCallEvent(one, { ...ended, callId: "before" });
    await projectAll();
    await recordCallEvent(one, { ...ended, callId: "broken-1" });
    await recordCallEvent(one, { ...ended, callId: "broken-2" });
    const before = Number((await totals())?.["totalCalls"]);
    const records = await newRecords();
    let writes = 0;
    test.fault(({ operation }) =>
      operation === "TransactWriteItems" && ++writes
        ? { status: 400, code: "ProvisionedThroughputExceededException", message: "Too fast" }
        : undefined,
    );
    await expect(invoke(records)).rejects.toThrow();
    expect(writes).toBeGreaterThan(0);
    expect(Number((await totals())?.["totalCalls"])).toBe(before);
    // The write succeeded and its response was lost: the client's retry must not count again
    test.fault(({ operation }) => (operation === "TransactWriteItems" && writes-- > 0 ? "after" : undefined));
    writes = 2;
    await invoke(records).catch(() => undefined);
    test.fault();
    await invoke(records);
    expect(Number((await totals())?.["totalCalls"])).toBe(before + 2);
  }, 30_000);

  it("without a shard id is refused", async () => {
    await expect(handler({ Records: [] }, invocation)).rejects.toThrow();
  });

  it("without records, as at the end of a window, succeeds", async () => {
    expect(await invoke([])).toEqual({ state: {}, batchItemFailures: [] });
  });

  it("adds to more rows than one transaction has room for, record by record", async () => {
    const ctx = test.platform();
    const increment = (row: number) => ({ tenantId: one.tenantId, key: keys.stats(`ROW#${row}`), counts: { totalCalls: 1 } });
    const records = [1, 2, 3].map((record) => ({
      position: positionOf(String(record)),
      increments: Array.from({ length: 60 }, (_, index) => increment(record * 30 + index)),
    }));
    test.resetUsage();
    await incrementExactlyOnce(ctx, "wide", records);
    expect(test.usage().filter(({ operation }) => operation === "TransactWriteItems")).toHaveLength(2);
    await incrementExactlyOnce(ctx, "wide", records);
    const { rows } = await one.store.query<{ totalCalls: number }>(keys.tenantPartitions.stats(one.tenantId), { prefix: "ROW#" });
    expect(rows.reduce((sum, { totalCalls }) => sum + totalCalls, 0)).toBe(180);
  });

  const shards = process.env["FULL"] ? 1000 : 100;
  it(`A02: costs the same units in a row that ${shards} shards have counted into, and the row stays as small`, async () => {
    const { platform } = test.platform();
    const sizeOf = async () => Object.keys((await platform.inTenant(one.tenantId).get(keys.stats("TOTAL"))) ?? {}).length;
    const counted = async (shard: number): Promise<number> => {
      await recordCallEvent(one, { ...ended, callId: `shard-${shard}` });
      const records = await newRecords();
      test.resetUsage();
      await invoke(records, `shardId-of-many-${shard}`);
      const units = test.usage().find(({ operation }) => operation === "TransactWriteItems")?.writeUnits;
      await projectAll();
      return units ?? 0;
    };
    const add = (shard: number) =>
      incrementExactlyOnce(test.platform(), `many${shard}`, [
        { position: positionOf("1"), increments: [{ tenantId: one.tenantId, key: keys.stats("TOTAL"), counts: { totalCalls: 1 } }] },
      ]);
    await counted(0);
    const [units, size, before] = [await counted(1), await sizeOf(), Number((await totals())?.["totalCalls"])];
    for (let shard = 0; shard < shards; shard += 4) await Promise.all([0, 1, 2, 3].map((index) => add(shard + index)));
    expect(Number((await totals())?.["totalCalls"])).toBe(before + shards);
    expect([await counted(2), await sizeOf()]).toEqual([units, size]);
  }, 60_000);
});

describe("a record that does not match its key", () => {
  it("is stored with the reason and does not block later records", async () => {
    const before = await callMetrics(two, "all");
    const bad = keys.call(keys.callKeyOf("vapi", "bad"));
    await two.store.writeUnaudited({
      verb: "put",
      key: bad,
      row: { endSeenAt: "yesterday", status: "completed", forwarded: false, startedAt: new Date().toISOString() },
    });
    await ran(two, "no tool's name", keys.callKeyOf("vapi", "bad"));
    await recordCallEvent(two, { ...ended, callId: "behind" });
    const records = await newRecords();
    await invoke(records);
    await invoke(records);
    expect((await callMetrics(two, "all")).totalCalls).toBe(before.totalCalls + 1);
    const { rows } = await two.store.query<{ reason: string; body: string }>(`TENANT#${two.tenantId}#INBOX`);
    expect(rows.map(({ reason }) => reason)).toEqual(["fields: endSeenAt", "fields: detail.tool"]);
    expect(rows.map(({ body }) => body).join()).toContain("yesterday");
    expect((await one.store.query(`TENANT#${one.tenantId}#INBOX`)).rows).toEqual([]);
  });
});

it("row kinds are recognized by the store's keys", () => {
  const tenantId = one.tenantId;
  const of = ({ pk, sk }: { pk: string; sk: string }) => rowKindOf(pk, sk);
  const callKey = keys.callKeyOf("vapi", "x");
  expect(of(keys.call(callKey).primaryKeyIn(tenantId))).toEqual({ entity: "call", tenantId });
  expect(of(keys.audit("2026-01", "patient_access", "id").primaryKeyIn(tenantId))).toEqual({ entity: "audit", tenantId });
  expect(of(keys.liveCall(callKey).primaryKeyIn(tenantId))).toEqual({ entity: "live", tenantId });
  expect(of(keys.platformAudit("2026-01", "api_call", "id").primaryKey)).toEqual({ entity: "audit" });
  expect(of(keys.tenantChain().primaryKeyIn(tenantId))).toEqual({ entity: "chain", tenantId });
  expect(of(keys.platformKeptEventContent("id").primaryKey)).toEqual({ entity: "keptEventContent" });
  expect(of(keys.activeUser("2026-01-31", "u").primaryKey)).toEqual({ entity: "activeUser", date: "2026-01-31" });
  expect(of(keys.userDirectory("u").primaryKey)).toEqual({ entity: "user" });
  expect(of(keys.tenantDirectory().primaryKeyIn(tenantId))).toEqual({ entity: "tenant", tenantId });
  expect(of(keys.officeDirectory("o").primaryKeyIn(tenantId))).toEqual({ entity: "office", tenantId });
  const others = [
    keys.callState(callKey).primaryKeyIn(tenantId),
    keys.toolRun(callKey, "r").primaryKeyIn(tenantId),
    keys.stats("TOTAL").primaryKeyIn(tenantId),
    keys.platformStats("TOTAL").primaryKey,
  ];
  expect([...others, keys.tenantUser("u").primaryKeyIn(tenantId), keys.feed("2026-01", "others", "0", "id").primaryKey].map(of)).toEqual(
    Array(6).fill(undefined),
  );
});
