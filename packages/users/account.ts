import { notFound } from "@vitaline/core";
import { keys, put, type LockNoticeRow, type TenantRow, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { lockNoticePrefix, partitions } from "@vitaline/store/keys.ts";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { withTenantNames } from "@vitaline/tenants";

/** `lockedUntil` is set while sign-ins are refused. One read. AppError `not_found`, also for a user outside `ofTenant`. */
export async function readUser(
  ctx: AccountContext,
  userId: string,
  ofTenant?: string,
): Promise<{ user: UserRow; entry: UserDirectoryRow; lockedUntil: string | undefined }> {
  const [user, entry, lock] = await ctx.platform.batchGet([keys.user(userId), keys.userDirectory(userId), keys.lockNotice(userId)]);
  if (!user || !entry || (ofTenant !== undefined && user.tenantId !== ofTenant)) throw notFound();
  return { user, entry, lockedUntil: lockedUntil(ctx, lock) };
}

/** Of a tenant's own team: users of other tenants are not found, and `alongside` is written in the same transaction. */
export type Team = { ofTenant: string; alongside: Write[] };

/** "" without a tenant. */
export async function tenantNameOf(ctx: AccountContext, { tenantId }: Pick<UserRow, "tenantId">): Promise<string> {
  const [named] = await withTenantNames(ctx, [{ tenantId }]);
  return named?.tenantName ?? "";
}

/** An unknown email costs the same reads and writes as a known one. */
export const unknownUserId = "0".repeat(26);

export type Account = { user: UserRow; tenant?: TenantRow };

/** One read. */
export async function readAccount(ctx: AccountContext, userId: string, tenantId: string | undefined): Promise<Account | undefined> {
  const userKey = keys.user(userId);
  const [user, tenant] = tenantId
    ? await ctx.platform.inTenant(tenantId).batchGet([userKey, keys.tenantConfig()])
    : await ctx.platform.batchGet([userKey]);
  return user && { user, tenant };
}

export const canSignIn = ({ user, tenant }: Account): boolean =>
  user.isActive && (user.tenantId === undefined || tenant?.isActive === true);

/** undefined if the lock has expired. */
const lockedUntil = (ctx: AccountContext, lock: LockNoticeRow | undefined): string | undefined =>
  lock && lock.until > ctx.clock().toISOString() ? lock.until : undefined;

/** Lock end by user id. One Query, with as many rows as locks of the last 15 minutes. */
export async function readLocks(ctx: AccountContext): Promise<Map<string, string>> {
  const { rows } = await ctx.platform.query<LockNoticeRow>(partitions.userDirectory, { prefix: lockNoticePrefix });
  return new Map(rows.flatMap((lock) => (lockedUntil(ctx, lock) === undefined ? [] : [[lock.id, lock.until]])));
}

const toSeconds = (ms: number): number => Math.ceil(ms / 1000);

/** Only for display: attempts are counted in sessions/throttle.ts. */
export function lockWrite(ctx: AccountContext, userId: string, forSeconds: number): Write {
  const untilMs = ctx.clock().getTime() + forSeconds * 1000;
  return put(keys.lockNotice(userId), { id: userId, until: new Date(untilMs).toISOString(), expiresAt: toSeconds(untilMs) });
}

/** Written as an expired lock. */
export const unlockWrite = (ctx: AccountContext, userId: string): Write =>
  put(keys.lockNotice(userId), { id: userId, until: new Date(0).toISOString(), expiresAt: toSeconds(ctx.clock().getTime()) });
