import { daySortKey, totalSortKey, type Counts } from "@vitaline/calls";
import type { AuditDashboard } from "@vitaline/contract";
import { awaitAllThenThrow, dayMs } from "@vitaline/core";
import { keys, type StatsRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { describeAction, levelOf } from "../log/describe.ts";
import { displayNames } from "../log/display-names.ts";
import { latestEntries } from "./feed.ts";

/** One round trip, plus one for actor names. */
export async function auditDashboard(ctx: PlatformContext, limit: number): Promise<AuditDashboard> {
  const [rows, { today, week }] = await awaitAllThenThrow([latestEntries(ctx, limit), platformCounts(ctx)]);
  const names = displayNames(ctx);
  await names.load(rows);
  const { auditEvents = 0, securityEvents = 0, accessDenied = 0 } = week;
  return {
    logs: rows.map((row) => ({
      id: row.id,
      action: row.action,
      description: describeAction(row),
      level: levelOf(row),
      actorName: names.actorName(row),
      timestamp: row.at,
    })),
    todayCount: today["auditEvents"] ?? 0,
    weekCount: auditEvents,
    securityEvents,
    failedAttempts: accessDenied,
  };
}

/** The platform's counters: today, the last 7 and 30 UTC days including today, and all time. */
export type PlatformCounts = { today: Counts; week: Counts; month: Counts; ever: Counts };

/** A Query of at most 31 rows for each part of the sums, in parallel, with a projection delay of about a second. */
export async function platformCounts(ctx: PlatformContext): Promise<PlatformCounts> {
  const nowMs = ctx.clock().getTime();
  const dayAgo = (days: number): string => daySortKey(new Date(nowMs - days * dayMs).toISOString());
  const { platformStats, platformStatsPart } = keys.partitions;
  const partitions = [platformStats, ...keys.platformStatsParts.map((part) => platformStatsPart(part))];
  const range = { from: dayAgo(29), to: totalSortKey };
  const parts = await awaitAllThenThrow(partitions.map((partition) => ctx.platform.query<StatsRow>(partition, range)));
  const rows = parts.flatMap((part) => part.rows);
  const since = (first: string): Counts => sumOf(rows.filter(({ row }) => row !== totalSortKey && String(row) >= first));
  return {
    today: since(dayAgo(0)),
    week: since(dayAgo(6)),
    month: since(dayAgo(29)),
    ever: sumOf(rows.filter(({ row }) => row === totalSortKey)),
  };
}

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  return sums;
};
