import type { Invitation, PasswordReset, User } from "@vitaline/contract";
import { AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, retryOnStale, type TenantRow, type UserRow } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { canSignIn, readAccount, readUser, type Team, tenantNameOf, unknownUserId } from "./account.ts";
import { asUser } from "./directory.ts";
import { invalidLink, newMailedToken, openMailedToken } from "./mailed-token.ts";
import { mailPasswordLink, mailPasswordReset } from "./mails.ts";
import { hashPassword, passwordChangeRequired, personalWords, refuseCommonPassword } from "./password.ts";
import { saveUser } from "./save.ts";

/** Ends sessions and mailed links through the epoch. AppError `invalid_request` for a common password. */
export async function userWithPassword(user: UserRow, tenant: TenantRow | undefined, password: string, field?: string): Promise<UserRow> {
  refuseCommonPassword(password, personalWords(user, tenant?.name), field);
  const { mustChangePassword: _done, invitedAt: _accepted, ...rest } = user;
  return { ...rest, passwordHash: await hashPassword(password), epoch: user.epoch + 1 };
}

const actions = { reset: "user.resetPassword", invite: "user.acceptInvite" } as const;

/** AppError `not_doable` for an invalid link, `invalid_request` for a common password. */
export async function setPasswordByLink(
  ctx: AccountContext,
  kind: keyof typeof actions,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { user, tenant, used } = await openMailedToken(ctx, kind, token);
  const after = await userWithPassword(user, tenant, password);
  const { id, role, tenantId } = user;
  const byUser = { ...ctx, platform: ctx.platform.as({ kind: "user", id, role, tenantId }) };
  await saveUser(byUser, user, after, { action: actions[kind], extraWrites: [used] }).catch((error: unknown) => {
    throw isAppError(error, "stale_version") ? invalidLink(error) : error;
  });
}

/** Leaves the invitation valid. AppError `not_doable` for an invalid link. */
export async function readInvitation(ctx: AccountContext, token: string): Promise<Invitation> {
  const { user, tenant } = await openMailedToken(ctx, "invite", token);
  const { email, firstName, lastName } = user;
  return { email, firstName, lastName, organization: tenant?.name ?? null };
}

/** Mails a link if the account may sign in; otherwise only the audit records the request. */
export async function mailForgottenPassword(ctx: AccountContext, email: string): Promise<void> {
  const claim = await ctx.platform.get(keys.email(email));
  const account = await readAccount(ctx, claim?.userId ?? unknownUserId, claim?.tenantId);
  const user = account && canSignIn(account) ? account.user : undefined;
  const link = user && newMailedToken(ctx, "reset", user);
  const store = claim?.tenantId ? ctx.platform.inTenant(claim.tenantId) : ctx.platform;
  await store.commit(link ? [link.write] : [], {
    category: "configuration_change",
    action: "user.forgotPassword",
    resourceType: "User",
    resourceId: account?.user.id,
    success: link !== undefined,
  });
  // A failed mail must not reveal that the email is known.
  if (link) await mailPasswordLink(ctx, user, link.token).catch((error: unknown) => ctx.log("error", "mail.failed", errorFields(error)));
}

/** The change stands, and only a link leads back in. */
const linkNotMailed = (totpRemoved: boolean, cause: unknown): AppError =>
  new AppError(
    "unavailable",
    totpRemoved
      ? "Two-factor sign-in is off and the old password no longer works, but the link could not be emailed. Ask them to choose Forgot password when they sign in."
      : "The old password no longer works, but the link could not be emailed. Ask them to choose Forgot password when they sign in.",
    { cause },
  );

/**
 * For an administrator: sets a password that must be changed, or mails a link, and optionally removes the second factor. Ends all
 * sessions. AppError `not_doable` for oneself, `invalid_request` for a common password. A `team` resets only users whose second factor
 * is on: `not_doable`. `unavailable` also if the link could not be mailed: the password is reset then.
 */
export async function resetPassword(
  ctx: AccountContext,
  userId: string,
  { password, removeTotp }: PasswordReset,
  team?: Team,
): Promise<User> {
  if (ctx.actor.id === userId)
    throw new AppError(
      "not_doable",
      team ? "Please turn off your own two-factor sign-in in your account." : "Please change your own password in your account.",
    );
  // Hashing is expensive: once, not per retry.
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const { shown, after, token, totpRemoved } = await retryOnStale(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId, team?.ofTenant);
    if (!user.isActive) throw new AppError("not_doable", "This user is inactive. Please reactivate them first.");
    if (team && !user.totp?.confirmedAt) throw new AppError("not_doable", "This colleague has not set up two-factor sign-in.");
    const tenantName = await tenantNameOf(ctx, user);
    if (password !== undefined) refuseCommonPassword(password, personalWords(user, tenantName));
    // Sending a link removes the old password, which may be known to others.
    const { totp, invitedAt, passwordHash: _old, ...rest } = user;
    const set: Partial<UserRow> = passwordHash === undefined ? {} : { ...passwordChangeRequired(ctx), passwordHash };
    const next: UserRow = {
      ...rest,
      ...(removeTotp || !totp ? {} : { totp }),
      ...(password !== undefined || !invitedAt ? {} : { invitedAt }),
      ...set,
      epoch: user.epoch + 1,
    };
    const link = password === undefined ? newMailedToken(ctx, "reset", next) : undefined;
    const wasRemoved = removeTotp === true && totp?.confirmedAt !== undefined;
    const saved = await saveUser(ctx, user, next, {
      action: team ? "user.resetTotp" : "user.resetPassword",
      extraWrites: [...(link ? [link.write] : []), ...(team?.alongside ?? [])],
      detail: { byLink: link !== undefined, totpRemoved: wasRemoved },
    });
    const changed = asUser({ ...saved, lastLogin: entry.lastLogin }, tenantName, lockedUntil);
    return { shown: changed, after: next, token: link?.token, totpRemoved: wasRemoved };
  });
  if (token !== undefined)
    await mailPasswordReset(ctx, after, { token, totpRemoved }).catch((cause: unknown) => {
      throw linkNotMailed(totpRemoved, cause);
    });
  return shown;
}
