import type { NewUser, User } from "@vitaline/contract";
import { AppError, isAppError, newId } from "@vitaline/core";
import { create, keys, onFreshRead, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { adminCounted, isActiveAdmin } from "./admin-count.ts";
import { asUser, listed, listNew } from "./directory.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailInvitation } from "./mails.ts";
import { chosenForAnother, hashPassword, personalWords, refuseCommonPassword } from "./password.ts";
import { readUser, tenantNameOf } from "./account.ts";
import { saveUser } from "./save.ts";

export const unknownTenant = () =>
  new AppError("invalid_request", "Please select a tenant for tenant admin users", {
    fields: { tenantId: "Please select a tenant for tenant admin users" },
  });

export const takenAddress = (cause: unknown) =>
  new AppError("duplicate", "A user with this email already exists", { cause, fields: { email: "A user with this email already exists" } });

/**
 * A user, its e-mail claim and its directory rows in one transaction; one that is invited gets a link instead of a password.
 * AppError `duplicate` when the address is taken, `unavailable` when the invitation could not be mailed: the user is there then.
 */
export async function createUser(ctx: PlatformContext, input: NewUser): Promise<User> {
  const tenantId = input.role === "tenant_admin" ? input.tenantId : undefined;
  const store = tenantId ? ctx.platform.inTenant(tenantId) : ctx.platform;
  const tenant = tenantId ? await store.get(keys.tenantConfig()) : undefined;
  if (tenantId && !tenant) throw unknownTenant();

  const { email, role, firstName, lastName, password } = input;
  const createdAt = ctx.clock().toISOString();
  const profile = { id: newId(ctx.clock().getTime()), email, role, firstName, lastName, tenantId, isActive: true, epoch: 0, createdAt };
  if (password !== undefined) refuseCommonPassword(password, personalWords(profile, tenant?.name));
  const row: UserRow =
    password === undefined
      ? { ...profile, invitedAt: createdAt }
      : { ...profile, ...chosenForAnother(ctx), passwordHash: await hashPassword(password) };
  const invitation = password === undefined ? newMailedToken(ctx, "invite", row) : undefined;
  const entry = listed(row);
  try {
    await store.commit(
      [
        create(keys.email(email), { userId: row.id, tenantId }),
        create(keys.user(row.id), row),
        ...listNew(entry),
        ...(await adminCounted(ctx, false, isActiveAdmin(row))),
        ...(invitation ? [invitation.write] : []),
      ],
      { category: "configuration_change", action: "user.create", resourceType: "User", resourceId: row.id, detail: { role } },
    );
  } catch (error) {
    throw isAppError(error, "duplicate") ? takenAddress(error) : error;
  }
  if (invitation)
    await mailInvitation(ctx, row, invitation.token, tenant?.name ?? null).catch((cause: unknown) => {
      throw new AppError("unavailable", "The user was created, but the invitation could not be mailed. Please resend it.", { cause });
    });
  return asUser(entry, tenant?.name);
}

/** Mails an invitation again; links of before are worth nothing. AppError `not_doable` for who has accepted or is inactive. */
export async function resendInvite(ctx: PlatformContext, userId: string): Promise<User> {
  const { shown, after, token } = await onFreshRead(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId);
    if (user.invitedAt === undefined) throw new AppError("not_doable", "This user has no open invitation.");
    if (!user.isActive) throw new AppError("not_doable", "This user is inactive. Please reactivate them first.");
    const invited = { ...user, invitedAt: ctx.clock().toISOString(), epoch: user.epoch + 1 };
    const { token: secret, write } = newMailedToken(ctx, "invite", invited);
    const tenantName = await tenantNameOf(ctx, user);
    const saved = await saveUser(ctx, user, invited, { action: "user.invite", beside: [write] });
    return { shown: asUser({ ...saved, lastLogin: entry.lastLogin }, tenantName, lockedUntil), after: invited, token: secret };
  });
  await mailInvitation(ctx, after, token, shown.tenantName);
  return shown;
}
