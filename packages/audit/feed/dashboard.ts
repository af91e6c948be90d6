import type { AuditDashboard } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { type Counts, dayRow, totalRow } from "@vitaline/calls";
import { keys, type StatsRow } from "@vitaline/store";
import { describe, levelOf } from "../log/describe.ts";
import { latest } from "./feed.ts";
import { namesFor } from "../log/display-names.ts";

const dayMs = 86_400_000;

/** The platform's counters: of today, of the seven days that end with it, of thirty, and of all time. Days are UTC. */
export type PlatformCounts = { today: Counts; week: Counts; month: Counts; ever: Counts };

/** One Query of at most 31 rows, however much has happened; as projected about a second ago. */
export async function platformCounts(ctx: PlatformContext): Promise<PlatformCounts> {
  const nowMs = ctx.clock().getTime();
  const day = (before: number): string => dayRow(new Date(nowMs - before * dayMs).toISOString());
  const { rows } = await ctx.platform.query<StatsRow>(keys.partitions.platformStats, { from: day(29), to: totalRow });
  const since = (first: string): Counts => sumOf(rows.filter(({ row }) => row !== totalRow && String(row) >= first));
  return { today: since(day(0)), week: since(day(6)), month: since(day(29)), ever: sumOf(rows.filter(({ row }) => row === totalRow)) };
}

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  return sums;
};

/** The latest acts of the feed, and how many there were, from counters: one round trip, and one for the names of who did them. */
export async function auditDashboard(ctx: PlatformContext, limit: number): Promise<AuditDashboard> {
  const [rows, { today, week }] = await allDone([latest(ctx, limit), platformCounts(ctx)]);
  const names = namesFor(ctx);
  await names.learn(rows);
  const { auditEvents = 0, securityEvents = 0, accessDenied = 0 } = week;
  return {
    logs: rows.map((row) => ({
      id: row.id,
      action: row.action,
      description: describe(row),
      level: levelOf(row),
      actorName: names.actorOf(row),
      timestamp: row.at,
    })),
    todayCount: today["auditEvents"] ?? 0,
    weekCount: auditEvents,
    securityEvents,
    failedAttempts: accessDenied,
  };
}
