import type { KeptEvent, PlatformMetrics } from "@vitaline/contract";
import { settleAll } from "@vitaline/core";
import { keys, type KeptEventRow, type Page } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { toKeptEvent } from "./dead-letter.ts";
import { totalRow } from "./metrics/counts.ts";

/** A higher number is reported as this one. */
const maxUnmailed = 100;

/** Totals of all tenants, with a projection delay of about a second, and the backlog. One Get and one Query, in parallel. */
export async function platformMetrics(ctx: PlatformContext): Promise<PlatformMetrics> {
  const [row = {}, unmailed] = await settleAll([
    ctx.platform.get(keys.platformStats(totalRow)),
    ctx.platform.query(partitions.unmailedContact, { limit: maxUnmailed }),
  ]);
  const count = (name: string): number => Number(row[name] ?? 0);
  return {
    totalUsers: count("totalUsers"),
    totalTenants: count("totalTenants"),
    activeTenants: count("activeTenants"),
    totalCalls: count("totalCalls"),
    successfulCalls: count("successfulCalls"),
    revenueEvents: count("revenueEvents"),
    waiting: { keptEvents: count("keptEvents"), unmailedMessages: unmailed.rows.length },
  };
}

/** Kept events of all tenants, newest first. One Query. */
export async function listKeptEvents(ctx: PlatformContext, page: { limit: number; cursor?: string }): Promise<Page<KeptEvent>> {
  const { rows, next } = await ctx.platform.query<KeptEventRow>(keys.partitions.keptEvents, { ...page, descending: true });
  return { rows: rows.map(toKeptEvent), next };
}
