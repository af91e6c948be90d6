import type { KeptEvent, PlatformMetrics } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { type KeptEventRow, keys, type Page } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { totalRow } from "./metrics/counts.ts";
import { asKeptEvent } from "./dead-letter.ts";

/** Beyond this many there are "many". */
const mostUnmailed = 100;

/** Counts over the whole platform, as projected about a second ago, and what waits for its people: one Get beside one Query. */
export async function platformMetrics(ctx: PlatformContext): Promise<PlatformMetrics> {
  const [row = {}, unmailed] = await allDone([
    ctx.platform.get(keys.platformStats(totalRow)),
    ctx.platform.query(partitions.unmailedContact, { limit: mostUnmailed }),
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

/** A page of what is kept, of all tenants, newest first. One Query. */
export async function listKeptEvents(ctx: PlatformContext, page: { limit: number; cursor?: string }): Promise<Page<KeptEvent>> {
  const { rows, next } = await ctx.platform.query<KeptEventRow>(keys.partitions.keptEvents, { ...page, descending: true });
  return { rows: rows.map(asKeptEvent), next };
}
