import type { ChangedNotices, Notices } from "@vitaline/contract";
import { keys, nextVersion, put, retryOnStale, type NoticesRow, type TenantContext, type TenantRow } from "@vitaline/store";
import { nextAt } from "./times.ts";

const none: Omit<Notices, "version"> = { daily: false, dailyAt: "07:30", emergencies: false, quiet: null };

const toNotices = (row: NoticesRow | undefined): Notices =>
  row
    ? { daily: row.daily, dailyAt: row.dailyAt, emergencies: row.emergencies, quiet: row.quiet ?? null, version: row.version }
    : { ...none, version: 1 };

/** The user's own; nothing is mailed to those who chose nothing. */
export const readNotices = async (ctx: TenantContext): Promise<Notices> => toNotices(await ctx.store.get(keys.notices(ctx.actor.id)));

/** The projection schedules the next daily notice. `ifMatch` is the expected version. AppError `stale_version`. */
export const changeNotices = (
  ctx: TenantContext,
  { timeZone }: Pick<TenantRow, "timeZone">,
  { quiet, ...change }: ChangedNotices,
  ifMatch?: number,
): Promise<Notices> =>
  retryOnStale(ifMatch, async () => {
    const userId = ctx.actor.id;
    const before = await ctx.store.get<NoticesRow>(keys.notices(userId));
    const { version, asRead } = nextVersion(before ?? { version: 1 }, ifMatch);
    const next = change.daily ? { nextDailyAt: nextAt(timeZone, change.dailyAt, ctx.clock().getTime()).toISOString() } : {};
    const row: NoticesRow = { ...change, ...(quiet ? { quiet } : {}), ...next, userId, origin: ctx.origin, version };
    await ctx.store.commit([put(keys.notices(userId), row, before ? asRead : { exists: false })], {
      category: "configuration_change",
      action: "notices.update",
      resourceType: "User",
      resourceId: userId,
      detail: { daily: change.daily, emergencies: change.emergencies, quiet: quiet !== null },
    });
    return toNotices(row);
  });
