import { describe, latestOfPeople, platformCounts, userNames } from "@vitaline/audit";
import type { UserActivity } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Today's sign-ins, from counters, and the latest acts of people, from the feed: one round trip, and one for their names. */
export async function userActivity(ctx: PlatformContext, limit: number): Promise<UserActivity> {
  const [{ today }, rows] = await allDone([platformCounts(ctx), latestOfPeople(ctx, limit)]);
  const names = await userNames(ctx, [...new Set(rows.map(({ actorId }) => actorId))]);
  return {
    activeUsers: today["activeUsers"] ?? 0,
    loginCount: today["logins"] ?? 0,
    failedLogins: today["failedLogins"] ?? 0,
    dayBoundary: "UTC",
    recentActions: rows.map((row) => ({
      id: row.id,
      action: row.action,
      description: describe(row),
      actorId: row.actorId,
      actorName: names.get(row.actorId),
      timestamp: row.at,
    })),
  };
}
