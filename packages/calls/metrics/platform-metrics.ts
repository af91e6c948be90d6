import { mostWaiting, type PlatformMetrics } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, pagesOf } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { totalSortKey } from "./counts.ts";

/**
 * Totals of all tenants, with a projection delay of about a second, and the backlog. One Get of all parts and two Queries, in parallel;
 * more Queries where rows are long.
 */
export async function platformMetrics(ctx: PlatformContext): Promise<PlatformMetrics> {
  const [rows, unmailed, requests] = await awaitAllThenThrow([
    ctx.platform.batchGet([
      keys.platformStats(totalSortKey),
      ...keys.platformStatsParts.map((part) => keys.platformStatsPart(part, totalSortKey)),
    ]),
    countWaiting(ctx, partitions.unmailedContact),
    countWaiting(ctx, partitions.requests("open")),
  ]);
  const count = (name: string): number => rows.reduce((sum, row) => sum + Number(row?.[name] ?? 0), 0);
  return {
    totalUsers: count("totalUsers"),
    totalTenants: count("totalTenants"),
    activeTenants: count("activeTenants"),
    totalCalls: count("totalCalls"),
    successfulCalls: count("successfulCalls"),
    revenueEvents: count("revenueEvents"),
    waiting: { keptEvents: count("keptEvents"), unmailedMessages: unmailed, openRequests: requests },
  };
}

/** Up to `mostWaiting`. A page ends at 1 MB, so long rows are on several. */
async function countWaiting(ctx: PlatformContext, partition: string): Promise<number> {
  let count = 0;
  for await (const rows of pagesOf(ctx.platform, partition, { limit: mostWaiting })) {
    count += rows.length;
    if (count >= mostWaiting) return mostWaiting;
  }
  return count;
}
