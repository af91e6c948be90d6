import {
  staffMonthHours,
  type CallMetrics,
  type ChartDay,
  type ChartRange,
  type Range,
  type RoutingCount,
  type ToolUsage,
} from "@vitaline/contract";
import type { TenantContext } from "@vitaline/store";
import { parseRoutingCounts, parseToolCounts } from "./counts.ts";
import { readDailyTotals, readTotals } from "./totals.ts";

/**
 * `averageDuration`: seconds, over the calls with a known duration. `resolutionRate`: percent. `hoursAutomated`: hours of resolved
 * calls; `staffEquivalent`: the same in months of one person's work. AppError `not_found` for another tenant's office.
 */
export async function callMetrics(ctx: TenantContext, range: Range, officeId?: string): Promise<CallMetrics> {
  const {
    totalCalls = 0,
    successfulCalls = 0,
    resolvedCalls = 0,
    abandonedCalls = 0,
    durationSeconds = 0,
    durationCalls = 0,
    resolvedSeconds = 0,
    revenueEvents = 0,
  } = await readTotals(ctx, range, officeId);
  const hoursAutomated = resolvedSeconds / 3600;
  return {
    totalCalls,
    successfulCalls,
    resolutionRate: ratio(resolvedCalls, totalCalls) * 100,
    averageDuration: ratio(durationSeconds, durationCalls),
    revenueEvents,
    abandonedCalls,
    costSavings: { hoursAutomated, staffEquivalent: hoursAutomated / staffMonthHours },
    range,
  };
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** One entry for each UTC day in the range, oldest first. One Query. AppError `not_found` for another tenant's office. */
export async function callChart(ctx: TenantContext, range: ChartRange, officeId?: string): Promise<ChartDay[]> {
  const days = await readDailyTotals(ctx, range, officeId);
  return days.map(
    ({
      date,
      counts: { totalCalls = 0, resolvedCalls = 0, forwardedCalls = 0, abandonedCalls = 0, durationSeconds = 0, revenueEvents = 0 },
    }) => ({
      date,
      calls: totalCalls,
      resolved: resolvedCalls,
      forwarded: forwardedCalls,
      abandoned: abandonedCalls,
      minutes: durationSeconds / 60,
      revenueEvents,
    }),
  );
}

/** Transfers to staff by reason and outcome, most frequent first. One read. AppError `not_found` for another tenant's office. */
export async function routingCounts(ctx: TenantContext, range: Range, officeId?: string): Promise<RoutingCount[]> {
  return parseRoutingCounts(await readTotals(ctx, range, officeId))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason) || a.outcome.localeCompare(b.outcome));
}

/** Runs and success rate (percent) of each tool used, most used first. AppError `not_found` for another tenant's office. */
export async function toolUsage(ctx: TenantContext, range: Range, officeId?: string): Promise<ToolUsage[]> {
  return parseToolCounts(await readTotals(ctx, range, officeId))
    .map(({ tool, count, succeeded }) => ({ toolName: tool, count, successRate: count === 0 ? null : (succeeded / count) * 100 }))
    .toSorted((a, b) => b.count - a.count || a.toolName.localeCompare(b.toolName));
}
