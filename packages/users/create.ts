import type { NewUser, User, UserAccess } from "@vitaline/contract";
import { AppError, isAppError, newId } from "@vitaline/core";
import { create, keys, retryOnStale, type UserRow } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { readUser, tenantNameOf } from "./account.ts";
import { adminCountWrites, isActiveAdmin } from "./admin-count.ts";
import { asUser, directoryCreateWrites, toDirectoryRow } from "./directory.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailInvitation } from "./mails.ts";
import { hashPassword, passwordChangeRequired, personalWords, refuseCommonPassword } from "./password.ts";
import { saveUser } from "./save.ts";

export const unknownTenant = () =>
  new AppError("invalid_request", "Please select a tenant for tenant admin users", {
    fields: { tenantId: "Please select a tenant for tenant admin users" },
  });

/** An administrator's access is not stored. */
export const narrowedTo = (access: UserAccess | undefined): Pick<UserRow, "access"> =>
  access === undefined || access === "administrator" ? {} : { access };

export const emailTaken = (cause: unknown) =>
  new AppError("duplicate", "A user with this email already exists", { cause, fields: { email: "A user with this email already exists" } });

/**
 * Creates the user, its email claim and its directory rows in one transaction. Without a password an invitation is mailed. AppError
 * `duplicate` for a taken email, `unavailable` if the invitation could not be mailed: the user exists then.
 */
export async function createUser(ctx: AccountContext, input: NewUser): Promise<User> {
  const tenantId = input.role === "tenant_admin" ? input.tenantId : undefined;
  const store = tenantId ? ctx.platform.inTenant(tenantId) : ctx.platform;
  const tenant = tenantId ? await store.get(keys.tenantConfig()) : undefined;
  if (tenantId && !tenant) throw unknownTenant();

  const { email, role, firstName, lastName, password } = input;
  const createdAt = ctx.clock().toISOString();
  const names = { email, role, ...narrowedTo(input.role === "tenant_admin" ? input.access : undefined), firstName, lastName };
  const profile = { id: newId(ctx.clock().getTime()), ...names, tenantId, isActive: true, epoch: 0, createdAt };
  if (password !== undefined) refuseCommonPassword(password, personalWords(profile, tenant?.name));
  const row: UserRow =
    password === undefined
      ? { ...profile, invitedAt: createdAt }
      : { ...profile, ...passwordChangeRequired(ctx), passwordHash: await hashPassword(password) };
  const invitation = password === undefined ? newMailedToken(ctx, "invite", row) : undefined;
  const entry = toDirectoryRow(row);
  try {
    await store.commit(
      [
        create(keys.email(email), { userId: row.id, tenantId }),
        create(keys.user(row.id), row),
        ...directoryCreateWrites(entry),
        ...(await adminCountWrites(ctx, false, isActiveAdmin(row))),
        ...(invitation ? [invitation.write] : []),
      ],
      {
        category: "configuration_change",
        action: "user.create",
        resourceType: "User",
        resourceId: row.id,
        detail: { role, ...narrowedTo(row.access) },
      },
    );
  } catch (error) {
    throw isAppError(error, "duplicate") ? emailTaken(error) : error;
  }
  if (invitation)
    await mailInvitation(ctx, row, invitation.token, tenant?.name ?? null).catch((cause: unknown) => {
      throw new AppError("unavailable", "The user was created, but the invitation could not be emailed. Please resend it.", { cause });
    });
  return asUser(entry, tenant?.name);
}

/** Earlier invitation links become invalid. AppError `not_found` for a user outside `ofTenant`, `not_doable` for a user who is inactive or has no open invitation. */
export async function resendInvite(ctx: AccountContext, userId: string, ofTenant?: string): Promise<User> {
  const { shown, after, token } = await retryOnStale(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId, ofTenant);
    if (user.invitedAt === undefined) throw new AppError("not_doable", "This user has no open invitation.");
    if (!user.isActive) throw new AppError("not_doable", "This user is inactive. Please reactivate them first.");
    const invited = { ...user, invitedAt: ctx.clock().toISOString(), epoch: user.epoch + 1 };
    const { token: secret, write } = newMailedToken(ctx, "invite", invited);
    const tenantName = await tenantNameOf(ctx, user);
    const saved = await saveUser(ctx, user, invited, { action: "user.invite", extraWrites: [write] });
    return { shown: asUser({ ...saved, lastLogin: entry.lastLogin }, tenantName, lockedUntil), after: invited, token: secret };
  });
  await mailInvitation(ctx, after, token, shown.tenantName);
  return shown;
}
