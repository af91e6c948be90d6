import { staffMonthHours, type CallFigures, type CallMetrics, type ChartDay, type RoutingCount, type ToolUsage } from "@vitaline/contract";
import type { TenantContext } from "@vitaline/store";
import { parseRoutingCounts, parseToolCounts, type Counts } from "./counts.ts";
import { daysBeforeThese, daysOf, type Period, readBothTotals, readDailyTotals, readTotals } from "./totals.ts";

/**
 * `averageDuration`: seconds, over the calls with a known duration. `resolutionRate`: percent. `hoursAutomated`: hours of resolved
 * calls; `staffEquivalent`: the same in months of one person's work. `compare`: with the period before, in the same read.
 * AppError `not_found` for another tenant's office.
 */
export async function callMetrics(ctx: TenantContext, period: Period, officeId?: string, compare = false): Promise<CallMetrics> {
  const range = typeof period === "string" ? period : null;
  if (period === "all") return { ...figuresOf(await readTotals(ctx, period, officeId)), range, days: null, previous: null };
  const days = await daysOf(ctx, period);
  if (!compare) return { ...figuresOf(await readTotals(ctx, days, officeId)), range, days, previous: null };
  const before = daysBeforeThese(days);
  const [now, then] = await readBothTotals(ctx, days, before, officeId);
  return { ...figuresOf(now), range, days, previous: { ...figuresOf(then), days: before } };
}

const figuresOf = (totals: Counts): CallFigures => {
  const {
    totalCalls = 0,
    successfulCalls = 0,
    resolvedCalls = 0,
    forwardedCalls = 0,
    abandonedCalls = 0,
    durationSeconds = 0,
    durationCalls = 0,
    resolvedSeconds = 0,
    revenueEvents = 0,
  } = totals;
  const hoursAutomated = resolvedSeconds / 3600;
  const runs = parseToolCounts(totals);
  const toolRuns = runs.reduce((sum, { count }) => sum + count, 0);
  return {
    totalCalls,
    successfulCalls,
    resolvedCalls,
    forwardedCalls,
    resolutionRate: ratio(resolvedCalls, totalCalls) * 100,
    averageDuration: ratio(durationSeconds, durationCalls),
    revenueEvents,
    abandonedCalls,
    toolRuns,
    failedToolRuns: toolRuns - runs.reduce((sum, { succeeded }) => sum + succeeded, 0),
    costSavings: { hoursAutomated, staffEquivalent: hoursAutomated / staffMonthHours },
  };
};

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** One entry for each day of the period, in the tenant's time zone, oldest first. One Query. AppError `not_found` for another tenant's office. */
export async function callChart(ctx: TenantContext, period: Exclude<Period, "all">, officeId?: string): Promise<ChartDay[]> {
  const days = await readDailyTotals(ctx, period, officeId);
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
export async function routingCounts(ctx: TenantContext, period: Period, officeId?: string): Promise<RoutingCount[]> {
  return parseRoutingCounts(await readTotals(ctx, period, officeId))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason) || a.outcome.localeCompare(b.outcome));
}

/** Runs and success rate (percent) of each tool used, most used first. AppError `not_found` for another tenant's office. */
export async function toolUsage(ctx: TenantContext, period: Period, officeId?: string): Promise<ToolUsage[]> {
  return parseToolCounts(await readTotals(ctx, period, officeId))
    .map(({ tool, count, succeeded }) => ({ toolName: tool, count, successRate: count === 0 ? null : (succeeded / count) * 100 }))
    .toSorted((a, b) => b.count - a.count || a.toolName.localeCompare(b.toolName));
}
