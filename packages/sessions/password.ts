import type { ForgottenPassword, Invitation, PasswordByLink, PasswordChange, SignedIn } from "@vitaline/contract";
import { awaitAllThenThrow, AppError } from "@vitaline/core";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { mailForgottenPassword, readInvitation, verifyPassword, saveUser, setPasswordByLink, userWithPassword } from "@vitaline/users";
import { ownAccount, type SignedInContext } from "./check.ts";
import { openAccountSession, shortUserAgent } from "./open.ts";
import { clearAttempts, recordFailure, takeAttempts, takeLink, takeMail } from "./throttle.ts";

/** 400, not 401, which would look like an expired session. */
const invalidField = (field: keyof PasswordChange, message: string) =>
  new AppError("invalid_request", message, { fields: { [field]: message } });

/** Ends all sessions and mailed links, and opens a new session. AppError `invalid_request` naming the field, `too_many_requests`. */
export async function changePassword(
  ctx: SignedInContext & { userAgent?: string },
  { currentPassword, newPassword }: PasswordChange,
): Promise<SignedIn> {
  const { user, tenant } = await ownAccount(ctx, ctx.session);
  await awaitAllThenThrow(takeAttempts(ctx, user.email));
  if (!(await verifyPassword(currentPassword, user.passwordHash))) {
    await recordFailure(ctx, user);
    throw invalidField("currentPassword", "The current password is not correct");
  }
  if (currentPassword === newPassword) throw invalidField("newPassword", "Must differ from the current password");
  const after = await userWithPassword(user, tenant, newPassword, "newPassword");
  const { write, answer } = await openAccountSession(ctx, { user: after, tenant }, shortUserAgent(ctx.userAgent));
  const extraWrites = [write, clearAttempts(ctx, user.email)];
  const entry = await saveUser(ctx, user, after, { action: "user.changePassword", extraWrites });
  return { ...answer, user: { ...answer.user, version: entry.version ?? answer.user.version } };
}

/** Minimum response time, so that sending a mail does not reveal a known email. */
const minResponseMs = 1000;

/** Answers the same for every email. AppError `too_many_requests`. */
export async function forgotPassword(ctx: AccountContext, { email }: ForgottenPassword): Promise<void> {
  const isDue = await takeMail(ctx, email);
  await awaitAllThenThrow([ctx.pause(minResponseMs), isDue ? mailForgottenPassword(ctx, email) : undefined]);
}

/** AppError `not_doable` for an invalid link, `invalid_request` for a common password. */
export async function setPassword(ctx: AccountContext, kind: "reset" | "invite", chosen: PasswordByLink): Promise<void> {
  await takeLink(ctx);
  await setPasswordByLink(ctx, kind, chosen);
}

/** AppError `not_doable` for an invalid link, `too_many_requests`. */
export async function openInvitation(ctx: AccountContext, token: string): Promise<Invitation> {
  await takeLink(ctx);
  return readInvitation(ctx, token);
}
