import type { ChartDay, ChartRange } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { requireOffice } from "./office.ts";
import { dailyTotals } from "./totals.ts";

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
