import { assumedHourlyWage, type Savings, savingsShares, type Usage } from "@vitaline/contract";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { callMetrics } from "./call-metrics.ts";
import { monthOf, monthSortKey } from "./counts.ts";

type TenantTerms = Pick<TenantRow, "plan" | "hourlyWage" | "averageVisitValue">;

/**
 * Estimated wage savings from the last 30 days of resolved calls (hours × wage), split 60/25/15 percent between call handling, data
 * retrieval and administration. A year counts as twelve such months. `roi` = (savings − plan price) / plan price, in percent. One Query.
 */
export async function costSavings(ctx: TenantContext, { plan, hourlyWage, averageVisitValue }: TenantTerms): Promise<Savings> {
  const { totalCalls, revenueEvents, costSavings: saved } = await callMetrics(ctx, "30days");
  const wage = hourlyWage ?? assumedHourlyWage;
  const monthlySavings = saved.hoursAutomated * wage;
  return {
    ...saved,
    hourlyWage: wage,
    isWageAssumed: hourlyWage === undefined,
    monthlySavings,
    annualProjection: monthlySavings * 12,
    savingsPerCall: monthlySavings / Math.max(1, totalCalls),
    breakdown: {
      callHandling: monthlySavings * savingsShares.callHandling,
      dataRetrieval: monthlySavings * savingsShares.dataRetrieval,
      administrative: monthlySavings * savingsShares.administrative,
    },
    roi: plan && plan.monthlyPrice > 0 ? ((monthlySavings - plan.monthlyPrice) / plan.monthlyPrice) * 100 : null,
    revenue: averageVisitValue === undefined ? null : revenueEvents * averageVisitValue,
  };
}

/** US dollars per minute over the plan. */
const overageRate = 0.18;

/**
 * Minutes of a UTC month (`yyyy-mm`, default the current one) against the plan. A call that becomes known later counts in the later
 * month, so the usage of a past month does not change after billing. One Get.
 */
export async function planUsage(ctx: TenantContext, { plan }: Pick<TenantRow, "plan">, month?: string): Promise<Usage> {
  const now = ctx.clock().toISOString();
  const usageMonth = month ?? monthOf(now);
  const { totalCalls = 0, durationSeconds = 0, earlierSeconds = 0 } = (await ctx.store.get(keys.stats(monthSortKey(usageMonth)))) ?? {};
  const minutes = Number(durationSeconds) / 60;
  const overageMinutes = plan ? Math.max(0, minutes - plan.bundledMinutes) : null;
  return {
    month: usageMonth,
    calls: Number(totalCalls),
    minutes,
    earlierMinutes: Number(earlierSeconds) / 60,
    planName: plan?.name ?? null,
    bundledMinutes: plan?.bundledMinutes ?? null,
    overageMinutes,
    overageRate,
    overageCharge: overageMinutes === null ? null : Math.round(overageMinutes * overageRate * 100) / 100,
    asOf: now,
  };
}
