import { keys, put, type StatsRow, type TenantContext } from "@vitaline/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { proves } from "../../../test/requirements/proves.ts";
import { callChart, costSavings, daySortKey, monthSortKey, planUsage } from "../index.ts";

let test: TestAws;
let busy: TenantContext;
let idle: TenantContext;
const noon = new Date("2026-05-20T12:00:00.000Z");
const day = (date: string, row: StatsRow) =>
  test
    .platform()
    .platform.inTenant(busy.tenantId)
    .writeUnaudited(put(keys.stats(daySortKey(date)), { ...row, row: daySortKey(date) }));

const bill = (month: string, row: StatsRow) =>
  test
    .platform()
    .platform.inTenant(busy.tenantId)
    .writeUnaudited(put(keys.stats(monthSortKey(month)), { ...row, row: monthSortKey(month) }));

beforeAll(async () => {
  test = await startTestAws();
  [busy, idle] = test.tenants.map((id) => ({ ...test.inTenant(id), clock: () => noon })) as [TenantContext, TenantContext];
  await day("2026-05-20", {
    totalCalls: 8,
    resolvedCalls: 6,
    forwardedCalls: 1,
    durationSeconds: 7200,
    resolvedSeconds: 3600,
    revenueEvents: 3,
  });
  await day("2026-05-18", { totalCalls: 2, resolvedCalls: 2, durationSeconds: 3600, resolvedSeconds: 3600 });
  await day("2026-04-30", { totalCalls: 1, resolvedCalls: 1, durationSeconds: 600, resolvedSeconds: 0 });
  await bill("2026-05", { totalCalls: 10, durationSeconds: 10_800 });
  await bill("2026-04", { totalCalls: 1, durationSeconds: 600 });
});
afterAll(() => test.close());

const plan = { name: "Light", monthlyPrice: 40, bundledMinutes: 150 };

describe("cost savings", () => {
  proves("D1.9-023", async () => {
    expect(await costSavings(busy, {})).toMatchObject({ hourlyWage: 25, isWageAssumed: true });
    expect((await costSavings(busy, { hourlyWage: 30 })).isWageAssumed).toBe(false);
  });
  proves("D1.9-024", async () => {
    const { hoursAutomated, staffEquivalent, monthlySavings } = await costSavings(busy, {});
    expect([hoursAutomated, staffEquivalent]).toEqual([2, 2 / 160]);
    expect(monthlySavings).toBe(2 * 25);
  });
  proves("D1.9-025", async () => {
    const { monthlySavings, annualProjection } = await costSavings(busy, {});
    expect(monthlySavings).toBe(50);
    expect(annualProjection).toBe(50 * 12);
  });
  proves("D1.9-026", async () => {
    expect((await costSavings(busy, {})).savingsPerCall).toBe(50 / 11);
    expect((await costSavings(idle, {})).savingsPerCall).toBe(0);
  });
  proves("D1.9-027", async () => {
    const { breakdown, monthlySavings } = await costSavings(busy, {});
    expect(monthlySavings).toBe(50);
    expect(breakdown).toEqual({ callHandling: 50 * 0.6, dataRetrieval: 50 * 0.25, administrative: 50 * 0.15 });
  });

  it("have neither return nor revenue if the tenant has no plan and no visit value", async () => {
    expect(await costSavings(busy, {})).toMatchObject({ roi: null, revenue: null });
  });

  it("use the tenant's own wage, plan and value of a visit", async () => {
    expect(await costSavings(busy, { hourlyWage: 30, plan, averageVisitValue: 120 })).toMatchObject({
      hourlyWage: 30,
      isWageAssumed: false,
      monthlySavings: 60,
      roi: 50,
      revenue: 360,
    });
    expect((await costSavings(busy, { plan: { ...plan, monthlyPrice: 0 } })).roi).toBeNull();
  });

  it("of a tenant without calls are zero, without a division by zero", async () => {
    expect(await costSavings(idle, { plan })).toMatchObject({ monthlySavings: 0, savingsPerCall: 0, roi: -100, revenue: null });
  });
});

describe("usage", () => {
  it("is the month's minutes against the plan's, with the overage", async () => {
    expect(await planUsage(busy, { plan })).toEqual({
      month: "2026-05",
      calls: 10,
      minutes: 180,
      earlierMinutes: 0,
      planName: "Light",
      bundledMinutes: 150,
      overageMinutes: 30,
      overageRate: 0.18,
      overageCharge: 5.4,
      asOf: noon.toISOString(),
    });
    expect(await planUsage(busy, { plan }, "2026-04")).toMatchObject({ minutes: 10, overageMinutes: 0, overageCharge: 0 });
  });

  it("charges the overage to the nearest cent", async () => {
    // 19.8 s are 0.33 min, at 18 cents a minute 5.94 cents
    await bill("2026-03", { totalCalls: 1, durationSeconds: 9019.8 });
    expect(await planUsage(busy, { plan }, "2026-03")).toMatchObject({ overageCharge: 0.06 });
    await bill("2026-03", { totalCalls: 1, durationSeconds: 9018 });
    expect(await planUsage(busy, { plan }, "2026-03")).toMatchObject({ overageCharge: 0.05 });
  });

  it("without a plan has no bundled minutes and no overage", async () => {
    expect(await planUsage(idle, {})).toMatchObject({
      minutes: 0,
      planName: null,
      bundledMinutes: null,
      overageMinutes: null,
      overageCharge: null,
    });
  });
});

describe("a chart", () => {
  it("has every day of its range, including days without calls, from one read", async () => {
    // The first one also reads the tenant's time zone.
    await callChart(busy, "7days");
    test.resetUsage();
    const chart = await callChart(busy, "7days");
    expect(test.usage().map(({ operation }) => operation)).toEqual(["Query"]);
    expect(chart.map(({ date, calls }) => [date, calls])).toEqual([
      ["2026-05-14", 0],
      ["2026-05-15", 0],
      ["2026-05-16", 0],
      ["2026-05-17", 0],
      ["2026-05-18", 2],
      ["2026-05-19", 0],
      ["2026-05-20", 8],
    ]);
    expect(chart.at(-1)).toEqual({ date: "2026-05-20", calls: 8, resolved: 6, forwarded: 1, abandoned: 0, minutes: 120, revenueEvents: 3 });
    expect(await callChart(busy, "90days")).toHaveLength(90);
  });
});
