import type { User, UserChanges } from "@vitaline/contract";
import { AppError, isAppError } from "@vitaline/core";
import { create, keys, retryOnStale, put, remove, type UserRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { readUser, type Team, tenantNameOf, unlockWrite } from "./account.ts";
import { adminCountWrites, isActiveAdmin } from "./admin-count.ts";
import { emailTaken, narrowedTo, unknownTenant } from "./create.ts";
import { asUser } from "./directory.ts";
import { saveUser } from "./save.ts";

const ownAccount = () =>
  new AppError("not_doable", "You cannot deactivate yourself or change your own role. Please ask another system administrator.");

/** A system administrator has no tenant. AppError `invalid_request` for a tenant administrator without one. */
const applyChanges = (user: UserRow, changes: Partial<UserChanges>): UserRow => {
  const { tenantId: from, access: narrowed, ...rest } = user;
  const { email = user.email, firstName = user.firstName, lastName = user.lastName, role = user.role, isActive = user.isActive } = changes;
  const tenantId = role === "tenant_admin" ? changes.tenantId || from : undefined;
  if (role === "tenant_admin" && !tenantId) throw unknownTenant();
  const { access } = narrowedTo(role === "tenant_admin" ? (changes.access ?? narrowed) : undefined);
  const after = { ...rest, email, firstName, lastName, role, isActive, ...(tenantId ? { tenantId } : {}), ...(access ? { access } : {}) };
  // Without a password yet there is no session, and the invitation stays valid.
  const isOtherAccess = access !== narrowed && user.invitedAt === undefined;
  const isElsewhere = role !== user.role || isOtherAccess || tenantId !== from;
  const endsSessions = email !== user.email || isElsewhere || (user.isActive && !isActive);
  return { ...after, epoch: endsSessions ? user.epoch + 1 : user.epoch };
};

/** AppError `invalid_request` for an unknown tenant. */
const tenantNameAfter = async (ctx: AccountContext, after: UserRow): Promise<string> => {
  const name = await tenantNameOf(ctx, after);
  if (after.tenantId !== undefined && name === "") throw unknownTenant();
  return name;
};

const addressWrites = (before: UserRow, { id: userId, email, tenantId }: UserRow): Write[] => {
  if (email !== before.email) return [remove(keys.email(before.email), { exists: true }), create(keys.email(email), { userId, tenantId })];
  return tenantId === before.tenantId ? [] : [put(keys.email(email), { userId, tenantId }, { exists: true })];
};

const actionOf = (before: UserRow, after: UserRow): string => {
  if (before.isActive === after.isActive) return "user.update";
  return after.isActive ? "user.reactivate" : "user.deactivate";
};

/**
 * Keeps omitted fields; writes and audits nothing if nothing changed. A new email, role, access or tenant and a deactivation end the
 * user's sessions. AppError `not_found`, `duplicate` for a taken email, `stale_version`, `not_doable` for oneself and for the last
 * active system administrator.
 */
export const updateUser = (
  ctx: AccountContext,
  userId: string,
  changes: Partial<UserChanges>,
  ifMatch: number | undefined,
  team?: Team,
): Promise<User> =>
  // Retried with If-Match too: the count of administrators may have changed instead.
  retryOnStale(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId, team?.ofTenant);
    const after = applyChanges(user, changes);
    if (ctx.actor.id === userId && (after.role !== user.role || after.access !== user.access || !after.isActive)) throw ownAccount();
    const tenantName = await tenantNameAfter(ctx, after);
    // Attempts are counted per email.
    const unlockWrites = after.email === user.email ? [] : [unlockWrite(ctx, userId)];
    const extraWrites = [
      ...(team?.alongside ?? []),
      ...addressWrites(user, after),
      ...unlockWrites,
      ...(await adminCountWrites(ctx, isActiveAdmin(user), isActiveAdmin(after))),
    ];
    const detail = {
      ...(after.role === user.role ? {} : { role: after.role }),
      ...(after.access === user.access ? {} : { access: after.access ?? "administrator" }),
      ...(after.email === user.email ? {} : { emailChanged: true }),
      ...(after.tenantId === user.tenantId ? {} : { fromTenantId: user.tenantId ?? "", toTenantId: after.tenantId ?? "" }),
    };
    try {
      const next = await saveUser(ctx, user, after, { action: actionOf(user, after), detail, extraWrites, ifMatch });
      return asUser({ ...next, lastLogin: entry.lastLogin }, tenantName, after.email === user.email ? lockedUntil : undefined);
    } catch (error) {
      throw isAppError(error, "duplicate") ? emailTaken(error) : error;
    }
  });
