import { notFound } from "@vitaline/core";
import { type AccountLockRow, keys, put, type TenantRow, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { locks, partitions } from "@vitaline/store/keys.ts";

/** A user, its entry in the platform's list, and until when its sign-ins are refused if they are; one round trip. AppError `not_found`. */
export async function readUser(
  ctx: PlatformContext,
  userId: string,
): Promise<{ user: UserRow; entry: UserDirectoryRow; lockedUntil: string | undefined }> {
  const [user, entry, lock] = await ctx.platform.batchGet([keys.user(userId), keys.userDirectory(userId), keys.accountLock(userId)]);
  if (!user || !entry) throw notFound();
  return { user, entry, lockedUntil: lockedUntil(ctx, lock) };
}

/** What the tenant that a user belongs to is called now; "" for who belongs to none. */
export async function tenantNameOf(ctx: PlatformContext, { tenantId }: Pick<UserRow, "tenantId">): Promise<string> {
  const [named] = await withTenantNames(ctx, [{ tenantId }]);
  return named?.tenantName ?? "";
}

export type Account = { user: UserRow; tenant?: TenantRow };

/** A user with the tenant that it belongs to, in one round trip. */
export async function readAccount(ctx: PlatformContext, userId: string, tenantId: string | undefined): Promise<Account | undefined> {
  const userKey = keys.user(userId);
  const [user, tenant] = tenantId
    ? await ctx.platform.inTenant(tenantId).batchGet([userKey, keys.tenantConfig()])
    : await ctx.platform.batchGet([userKey]);
  return user && { user, tenant };
}

/** Whether this account may sign in at all. */
export const isOpen = ({ user, tenant }: Account): boolean => user.isActive && (user.tenantId === undefined || tenant?.isActive === true);

/** Until when sign-ins of a user are refused; undefined for one that is over. */
const lockedUntil = (ctx: PlatformContext, lock: AccountLockRow | undefined): string | undefined =>
  lock && lock.until > ctx.clock().toISOString() ? lock.until : undefined;

/** Until when sign-ins are refused, by user: of those whose are. One Query, of as many rows as there are locks within 15 minutes. */
export async function readLocks(ctx: PlatformContext): Promise<Map<string, string>> {
  const { rows } = await ctx.platform.query<AccountLockRow>(partitions.userDirectory, { prefix: locks });
  return new Map(rows.flatMap((lock) => (lockedUntil(ctx, lock) === undefined ? [] : [[lock.id, lock.until]])));
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** What lists say of a user for whom the next sign-in is free after so many seconds. Nothing is refused by it: the attempts are counted elsewhere. */
export function locked(ctx: PlatformContext, userId: string, forSeconds: number): Write {
  const untilMs = ctx.clock().getTime() + forSeconds * 1000;
  return put(keys.accountLock(userId), { id: userId, until: new Date(untilMs).toISOString(), expiresAt: seconds(untilMs) });
}

/** Nothing is in a user's way any more: by no clock. */
export const unlocked = (ctx: PlatformContext, userId: string): Write =>
  put(keys.accountLock(userId), { id: userId, until: new Date(0).toISOString(), expiresAt: seconds(ctx.clock().getTime()) });
