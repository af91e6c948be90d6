import type { ChangedNotices, Notices } from "@vitaline/contract";
import {
  keys,
  nextVersion,
  put,
  retryOnStale,
  type NoticesRow,
  type TenantContext,
  type TenantRow,
  type UserDirectoryRow,
} from "@vitaline/store";
import { nextAt } from "./times.ts";

/** An administrator who has signed in and chosen nothing is mailed, so that no clinic misses its emergencies. */
export const hearsOfEmergencies = (user: UserDirectoryRow | undefined, row: NoticesRow | undefined): boolean =>
  row?.emergencies ?? (user !== undefined && hasSignedIn(user) && (user.access ?? "administrator") === "administrator");

/** An address that an operator or a colleague wrote down may be another person's. */
const hasSignedIn = ({ invitedAt, mustChangePassword }: UserDirectoryRow): boolean =>
  invitedAt === undefined && mustChangePassword !== true;

/** The user's own, or the usual ones. */
export const readNotices = async (ctx: TenantContext): Promise<Notices> => {
  const { id } = ctx.actor;
  const [row, user] = await ctx.store.batchGet([keys.notices(id), keys.tenantUser(id)]);
  return toNotices(row, hearsOfEmergencies(user, row));
};

const toNotices = (row: NoticesRow | undefined, emergencies: boolean): Notices => ({
  daily: row?.daily ?? false,
  dailyAt: row?.dailyAt ?? "07:30",
  emergencies,
  quiet: row?.quiet ?? null,
  version: row?.version ?? 1,
});

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
    return toNotices(row, row.emergencies);
  });
