import { notFound } from "@vitaline/core";
import { keys, type TenantRow, type UserDirectoryRow, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { lockedUntil } from "./locks.ts";

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
