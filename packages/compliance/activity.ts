import { describe, latestOfPeople, platformCounts } from "@vitaline/audit";
import type { UserActivity } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Today's sign-ins, from counters, and the latest acts of people, from the feed: one round trip, and one for their names. */
export async function userActivity(ctx: PlatformContext, limit: number): Promise<UserActivity> {
  const [{ today }, rows] = await allDone([platformCounts(ctx), latestOfPeople(ctx, limit)]);
  const names = await namesOf(ctx, [...new Set(rows.map(({ actorId }) => actorId))]);
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

const namesOf = async (ctx: PlatformContext, userIds: readonly string[]): Promise<Map<string, string>> => {
  if (userIds.length === 0) return new Map();
  const users = await ctx.platform.batchGet(userIds.map((id) => keys.userDirectory(id)));
  return new Map(users.flatMap((user) => (user ? [[user.id, `${user.firstName} ${user.lastName}`]] : [])));
};
