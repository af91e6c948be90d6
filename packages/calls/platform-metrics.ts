import type { PlatformMetrics } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { totalRow } from "./counts.ts";

/** Counts over the whole platform, as projected about a second ago. One Get. */
export async function platformMetrics(ctx: PlatformContext): Promise<PlatformMetrics> {
  const row = (await ctx.platform.get(keys.platformStats(totalRow))) ?? {};
  const count = (name: keyof PlatformMetrics): number => Number(row[name] ?? 0);
  return {
    totalUsers: count("totalUsers"),
    totalTenants: count("totalTenants"),
    activeTenants: count("activeTenants"),
    totalCalls: count("totalCalls"),
    successfulCalls: count("successfulCalls"),
    revenueEvents: count("revenueEvents"),
  };
}
