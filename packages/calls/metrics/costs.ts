import { assumedHourlyWage, type Savings, savingsShares, type Usage } from "@vitaline/contract";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { callMetrics } from "./call-metrics.ts";
import { monthRow } from "./counts.ts";

/** US dollars for each minute beyond the plan's. */
const overageRate = 0.18;

/**
 * Minutes of all calls that became known in a UTC month (`yyyy-mm`; this one when absent), against the plan: what is found
 * out later is in a later month, so a month that is over stays as it was billed. One Get.
 */
export async function planUsage(ctx: TenantContext, { plan }: Pick<TenantRow, "plan">, month?: string): Promise<Usage> {
  const now = ctx.clock().toISOString();
  const asked = month ?? now.slice(0, "yyyy-mm".length);
  const { totalCalls = 0, durationSeconds = 0 } = (await ctx.store.get(keys.stats(monthRow(asked)))) ?? {};
  const minutes = Number(durationSeconds) / 60;
  const overageMinutes = plan ? Math.max(0, minutes - plan.bundledMinutes) : null;
  return {
    month: asked,
    calls: Number(totalCalls),
    minutes,
    planName: plan?.name ?? null,
    bundledMinutes: plan?.bundledMinutes ?? null,
    overageMinutes,
    overageRate,
    overageCharge: overageMinutes === null ? null : Math.round(overageMinutes * overageRate * 100) / 100,
    asOf: now,
  };
}

type Terms = Pick<TenantRow, "plan" | "hourlyWage" | "averageVisitValue">;

/**
 * An estimate of what the last 30 days of resolved calls have saved in wages: hours × wage; a year is twelve such months; a
 * call's share is that by all calls; 60, 25 and 15 percent go to call handling, data retrieval and administration.
 * `roi` = (savings − plan price) / plan price in percent. One Query.
 */
export async function costSavings(ctx: TenantContext, { plan, hourlyWage, averageVisitValue }: Terms): Promise<Savings> {
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
