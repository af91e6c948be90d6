import { type CallMetrics, type Range, staffMonthHours } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { requireOffice } from "./office.ts";
import { totalsIn } from "./totals.ts";

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
