import {
  type CallMetrics,
  type ChartDay,
  type ChartRange,
  type Range,
  type RoutingCount,
  staffMonthHours,
  type ToolUsage,
} from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { requireOffice } from "../office.ts";
import { dailyTotals, totalsIn } from "./totals.ts";
import { routingIn, toolsIn } from "./counts.ts";

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/**
 * The call metrics of a tenant, or of one office. `averageDuration` is seconds over the calls whose duration is known; `resolutionRate` percent;
 * `hoursAutomated` the hours of resolved calls, `staffEquivalent` the same in months of one person's work.
 * AppError `not_found` for another tenant's office.
 */
export async function callMetrics(ctx: TenantContext, range: Range, officeId?: string): Promise<CallMetrics> {
  const [totals] = await allDone([totalsIn(ctx, range, officeId), requireOffice(ctx, officeId)]);
  const {
    totalCalls = 0,
    successfulCalls = 0,
    resolvedCalls = 0,
    durationSeconds = 0,
    durationCalls = 0,
    resolvedSeconds = 0,
    revenueEvents = 0,
  } = totals;
  const hoursAutomated = resolvedSeconds / 3600;
  return {
    totalCalls,
    successfulCalls,
    resolutionRate: share(resolvedCalls, totalCalls) * 100,
    averageDuration: share(durationSeconds, durationCalls),
    revenueEvents,
    costSavings: { hoursAutomated, staffEquivalent: hoursAutomated / staffMonthHours },
    range,
  };
}

/** What happened on each UTC day that the range touches, oldest first. One Query. AppError `not_found` for another tenant's office. */
export async function callChart(ctx: TenantContext, range: ChartRange, officeId?: string): Promise<ChartDay[]> {
  const [days] = await allDone([dailyTotals(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return days.map(
    ({ date, counts: { totalCalls = 0, resolvedCalls = 0, forwardedCalls = 0, durationSeconds = 0, revenueEvents = 0 } }) => ({
      date,
      calls: totalCalls,
      resolved: resolvedCalls,
      forwarded: forwardedCalls,
      minutes: durationSeconds / 60,
      revenueEvents,
    }),
  );
}

/** Why callers were put through to staff and what became of it, most often first. One read. AppError `not_found` for another tenant's office. */
export async function routingCounts(ctx: TenantContext, range: Range, officeId?: string): Promise<RoutingCount[]> {
  const [totals] = await allDone([totalsIn(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return routingIn(totals)
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason) || a.outcome.localeCompare(b.outcome));
}

/** How often each tool ran and how many percent of its runs went well, most used first; tools that never ran are left out. AppError `not_found` for another tenant's office. */
export async function toolUsage(ctx: TenantContext, range: Range, officeId?: string): Promise<ToolUsage[]> {
  const [totals] = await allDone([totalsIn(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return toolsIn(totals)
    .map(({ tool, count, succeeded }) => ({ toolName: tool, count, successRate: count === 0 ? null : (succeeded / count) * 100 }))
    .toSorted((a, b) => b.count - a.count || a.toolName.localeCompare(b.toolName));
}
