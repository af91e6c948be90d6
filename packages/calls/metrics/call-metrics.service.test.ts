import type { Range } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, keys, put, type TenantContext } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { writeCalls } from "../calls.fixture.ts";
import { callChart, callMetrics, daySortKey, recentCalls, recordCallEvent, toolUsage } from "../index.ts";
import { platformMetrics } from "./platform-metrics.ts";

let test: TestAws;
beforeEach(async () => {
  test = await startTestAws();
});
afterEach(() => test.close());

const dayMs = 86_400_000;
const noon = Date.parse("2026-05-20T12:00:00.000Z");
const at = (ctx: TenantContext): TenantContext => ({ ...ctx, clock: () => new Date(noon) });
const daysAgo = (days: number) => daySortKey(new Date(noon - days * dayMs).toISOString());

/** Rows as the projection writes them. */
const addTotals = async (tenantId: string, row: string, totals: Record<string, number | string>) => {
  await test
    .platform()
    .platform.inTenant(tenantId)
    .writeUnaudited(put(keys.stats(row), totals));
};
const day = (calls: number) => ({
  totalCalls: calls * 4,
  successfulCalls: calls * 3,
  resolvedCalls: calls * 2,
  durationSeconds: calls * 360,
  durationCalls: calls * 3,
  resolvedSeconds: calls * 180,
  revenueEvents: calls,
  tool_getPatientInfo: calls * 2,
  toolok_getPatientInfo: calls,
  tool_scheduleAppointment: calls * 3,
  toolok_scheduleAppointment: calls * 3,
});
const reads = () => test.usage().map(({ operation, readUnits }) => ({ operation, readUnits }));

describe("a tenant's metrics", () => {
  it("add up so many days with today as the last, and no other tenant's", async () => {
    const [busy, idle] = test.tenants;
    for (const days of [0, 1, 2, 7, 8, 30, 31, 90, 91]) await addTotals(busy, daysAgo(days), day(10));
    await addTotals(busy, "TOTAL", day(1000));
    const ctx = at(test.inTenant(busy));
    const calls = async (range: Range) => (await callMetrics(ctx, range)).totalCalls / 40;
    expect([await calls("24hours"), await calls("7days"), await calls("30days"), await calls("90days"), await calls("all")]).toEqual([
      2, 3, 5, 7, 100,
    ]);
    expect(await callMetrics(ctx, "24hours")).toEqual({
      totalCalls: 80,
      successfulCalls: 60,
      resolvedCalls: 40,
      forwardedCalls: 0,
      resolutionRate: 50,
      averageDuration: 120,
      revenueEvents: 20,
      abandonedCalls: 0,
      toolRuns: 100,
      failedToolRuns: 20,
      costSavings: { hoursAutomated: 1, staffEquivalent: 1 / 160 },
      range: "24hours",
      days: { from: "2026-05-19", to: "2026-05-20" },
      previous: null,
    });
    expect(await toolUsage(ctx, "30days")).toEqual([
      { toolName: "scheduleAppointment", count: 150, successRate: 100 },
      { toolName: "getPatientInfo", count: 100, successRate: 50 },
    ]);
    expect(await callMetrics(at(test.inTenant(idle)), "all")).toMatchObject({
      totalCalls: 0,
      resolutionRate: 0,
      averageDuration: 0,
      costSavings: { hoursAutomated: 0, staffEquivalent: 0 },
    });
    expect(await toolUsage(at(test.inTenant(idle)), "90days")).toEqual([]);
  });

  it("add up every day of a range that is too large for one page of the table", async () => {
    const [busy] = test.tenants;
    const large = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`routed_a_reason_with_a_long_name_${at}`, 1]));
    const days = Array.from({ length: 200 }, (_, days) => days);
    await Promise.all(days.map((days) => addTotals(busy, daysAgo(days), { ...day(1), ...large })));
    const from = new Date(noon - 199 * dayMs).toISOString().slice(0, 10);
    expect((await callMetrics(at(test.inTenant(busy)), { from, to: "2026-05-20" })).totalCalls).toBe(200 * 4);
  });

  it("are compared with the same number of days before, and a month with the month before, in one read", async () => {
    const [busy, idle] = test.tenants;
    for (const [date, calls] of [
      ["2026-03-31", 1],
      ["2026-04-01", 2],
      ["2026-04-30", 4],
      ["2026-05-01", 8],
      ["2026-05-13", 16],
      ["2026-05-14", 32],
      ["2026-05-20", 64],
    ] as const)
      await addTotals(busy, daySortKey(date), { ...day(calls), row: daySortKey(date) });
    const ctx = at(test.inTenant(busy));
    const both = async (period: Parameters<typeof callMetrics>[1]) => {
      test.resetUsage();
      const { totalCalls, days, previous } = await callMetrics(ctx, period, undefined, true);
      expect(reads().filter(({ operation }) => operation === "Query")).toHaveLength(1);
      return [totalCalls / 4, days, previous && [previous.totalCalls / 4, previous.days]];
    };
    expect(await both("7days")).toEqual([96, { from: "2026-05-14", to: "2026-05-20" }, [16, { from: "2026-05-07", to: "2026-05-13" }]]);
    expect(await both({ from: "2026-04-01", to: "2026-04-30" })).toEqual([
      6,
      { from: "2026-04-01", to: "2026-04-30" },
      [1, { from: "2026-03-01", to: "2026-03-31" }],
    ]);
    expect((await callMetrics(at(test.inTenant(idle)), "7days", undefined, true)).previous).toMatchObject({ totalCalls: 0, toolRuns: 0 });
    expect((await callMetrics(ctx, "all", undefined, true)).previous).toBeNull();
  });

  it("end with the tenant's own day, and a chart of seven days has seven", async () => {
    const evening = new Date("2026-05-20T18:00:00.000Z");
    const chart = async (tenantId: string, timeZone: string) => {
      cacheRetentionAndZone(tenantId, { timeZone }, evening.getTime());
      return (await callChart({ ...test.inTenant(tenantId), clock: () => evening }, "7days")).map(({ date }) => date.slice(5));
    };
    const [west, east] = test.tenants;
    expect(await chart(west, "America/Los_Angeles")).toEqual(["05-14", "05-15", "05-16", "05-17", "05-18", "05-19", "05-20"]);
    expect(await chart(east, "Asia/Tokyo")).toEqual(["05-15", "05-16", "05-17", "05-18", "05-19", "05-20", "05-21"]);
  });

  it("cost one read, the same at 100 and at 100,000 calls", async () => {
    const costs = [];
    for (const [tenantId, calls] of [
      ["few", 100],
      ["many", 100_000],
    ] as const) {
      for (let days = 0; days <= 90; days++) await addTotals(tenantId, daysAgo(days), day(calls / 4));
      await addTotals(tenantId, "TOTAL", day(calls));
      const ctx = at(test.inTenant(tenantId));
      cacheRetentionAndZone(tenantId, { timeZone: "UTC" }, noon);
      test.resetUsage();
      await callMetrics(ctx, "90days");
      await callMetrics(ctx, "30days");
      await toolUsage(ctx, "30days");
      await callMetrics(ctx, "all");
      costs.push(reads());
    }
    expect(costs[0]).toEqual([
      { operation: "Query", readUnits: 3 },
      { operation: "Query", readUnits: 1 },
      { operation: "Query", readUnits: 1 },
      { operation: "GetItem", readUnits: 1 },
    ]);
    expect(costs[1]).toEqual(costs[0]);
  });
});

describe("recent calls", () => {
  it("come newest first, page by page, each call once, and only the tenant's own", async () => {
    const [mine, others] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
    for (let minute = 0; minute < 7; minute++) {
      const startedAt = new Date(noon - 365 * dayMs + minute * 60_000).toISOString();
      await recordCallEvent(mine, {
        platform: "vapi",
        callId: `recent-${minute}`,
        status: "completed",
        startedAt,
        durationSeconds: 60,
        success: true,
        outcome: `number ${minute}`,
      });
    }
    await recordCallEvent(others, { platform: "vapi", callId: "not-yours", status: "completed" });
    const outcomes: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await recentCalls(mine, { limit: 3, cursor });
      outcomes.push(...page.rows.map(({ outcome }) => outcome));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(outcomes).toEqual([6, 5, 4, 3, 2, 1, 0].map((minute) => `number ${minute}`));
    const { rows, next } = await recentCalls(mine, { limit: 1 });
    expect(rows[0]).toMatchObject({
      platform: "vapi",
      duration: 60,
      status: "completed",
      toolsUsed: [],
      resolved: true,
      forwarded: false,
      endedReason: null,
    });
    await expect(recentCalls(others, { limit: 1, cursor: next })).rejects.toSatisfy((error) => isAppError(error, "invalid_request"));
  });

  it("cost one read a page, the same at 100 and at 5,000 calls", async () => {
    const costs = [];
    for (const [tenantId, calls] of [
      ["hundred", 100],
      ["thousands", 5000],
    ] as const) {
      await writeCalls(tenantId, calls, noon);
      test.resetUsage();
      expect((await recentCalls(test.inTenant(tenantId), {})).rows).toHaveLength(20);
      costs.push(reads());
    }
    expect(costs[0]).toEqual([{ operation: "Query", readUnits: 1 }]);
    expect(costs[1]).toEqual(costs[0]);
  }, 60_000);

  it("show the tools that a call used, and a forwarded call as not resolved", async () => {
    const ctx = test.inTenant("tooled");
    const callKey = keys.callKeyOf("vapi", "tooled");
    await recordCallEvent(ctx, { platform: "vapi", callId: "tooled", status: "completed", forwarded: true });
    await ctx.store.writeUnaudited({
      verb: "update",
      key: keys.call(callKey),
      change: { add: { toolsUsed: new Set(["verifyInsurance", "getPatientInfo"]) } },
    });
    const { rows } = await recentCalls(ctx, {});
    expect(rows).toMatchObject([
      { id: callKey, toolsUsed: ["getPatientInfo", "verifyInsurance"], resolved: false, forwarded: true, duration: null, outcome: null },
    ]);
  });
});

it("the platform's metrics cost one round trip of three reads, and are zero on a new platform", async () => {
  const ctx = test.platform();
  test.resetUsage();
  expect(await platformMetrics(ctx)).toEqual({
    totalUsers: 0,
    totalTenants: 0,
    activeTenants: 0,
    totalCalls: 0,
    successfulCalls: 0,
    revenueEvents: 0,
    waiting: { keptEvents: 0, unmailedMessages: 0, openRequests: 0 },
  });
  const spent = [
    { operation: "BatchGetItem", readUnits: 9 },
    { operation: "Query", readUnits: 0.5 },
    { operation: "Query", readUnits: 0.5 },
  ];
  // In either order
  const sorted = () => reads().toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
  expect(sorted()).toEqual(spent);
  await ctx.platform.writeUnaudited(put(keys.platformStats("TOTAL"), { totalUsers: 3, totalCalls: 12 }));
  expect(await platformMetrics(ctx)).toMatchObject({ totalUsers: 3, totalTenants: 0, totalCalls: 12 });
  await ctx.platform.writeUnaudited(put(keys.platformStatsPart("0", "TOTAL"), { totalUsers: -1, totalCalls: 5 }));
  await ctx.platform.writeUnaudited(put(keys.platformStatsPart("7", "TOTAL"), { totalTenants: 1 }));
  expect(await platformMetrics(ctx)).toMatchObject({ totalUsers: 2, totalTenants: 1, totalCalls: 17 });

  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  for (let i = 0; i < 103; i++) {
    const id = newId();
    await ctx.platform.writeUnaudited(put(keys.unmailedContact(id), { id, month: "2026-11", expiresAt }));
    if (i === 2) {
      await ctx.platform.writeUnaudited(put(keys.platformStats("TOTAL"), { keptEvents: 4 }));
      test.resetUsage();
      expect((await platformMetrics(ctx)).waiting).toEqual({ keptEvents: 4, unmailedMessages: 3, openRequests: 0 });
      expect(sorted()).toEqual(spent);
    }
  }
  expect((await platformMetrics(ctx)).waiting.unmailedMessages).toBe(100);
  const id = newId();
  const request = { id, tenantId: test.tenants[0], at: "2026-11-27T09:00:00.000Z", kind: "plan", status: "in_progress" } as const;
  const row = { ...request, requesterId: newId(), sealed: "", answers: [], version: 1 };
  const audit = { category: "configuration_change", action: "test.seed", resourceType: "Test" } as const;
  await ctx.platform.commit([put(keys.listedRequest("open", id), row), put(keys.listedRequest("closed", newId()), row)], audit);
  expect((await platformMetrics(ctx)).waiting.openRequests).toBe(1);
  // More than a page of DynamoDB, which is 1 MB
  for (let i = 0; i < 4; i++)
    await ctx.platform.commit([put(keys.listedRequest("open", newId()), { ...row, sealed: "x".repeat(350_000) })], audit);
  expect((await platformMetrics(ctx)).waiting.openRequests).toBe(5);
});
