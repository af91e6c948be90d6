import { assumedHourlyWage, type Savings, savingsShares } from "@vitaline/contract";
import type { TenantContext, TenantRow } from "@vitaline/store";
import { callMetrics } from "./metrics.ts";

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
