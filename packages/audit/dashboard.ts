import type { AuditDashboard } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { platformCounts } from "./counts.ts";
import { describe, levelOf } from "./describe.ts";
import { latest } from "./feed.ts";
import { namesFor } from "./names.ts";

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
