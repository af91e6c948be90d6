import type { ForgottenPassword, PasswordByLink, PasswordChange, SignedIn } from "@vitaline/contract";
import { allDone, AppError } from "@vitaline/core";
import { mailForgottenPassword, passwordMatches, saveUser, setPasswordByLink, withPassword } from "@vitaline/users";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { ownAccount, type SignedInContext } from "./check.ts";
import { openFor, shortUserAgent } from "./open.ts";
import { clearAttempts, countFailure, takeAttempt, takeLink, takeMail } from "./throttle.ts";

/** What is typed wrong here must not look like a session that is over: 400, not 401. */
const wrong = (field: keyof PasswordChange, message: string) => new AppError("invalid_request", message, { fields: { [field]: message } });

/**
 * Changes one's own password: every session and every mailed link of before ends, and the answer opens a new session.
 * AppError `invalid_request` naming the field, `too_many_requests` when guessing.
 */
export async function changePassword(
  ctx: SignedInContext & { userAgent?: string },
  { currentPassword, newPassword }: PasswordChange,
): Promise<SignedIn> {
  const { user, tenant } = await ownAccount(ctx, ctx.session);
  await allDone(takeAttempt(ctx, user.email));
  if (!(await passwordMatches(currentPassword, user.passwordHash))) {
    await countFailure(ctx, user);
    throw wrong("currentPassword", "The current password is not correct");
  }
  if (currentPassword === newPassword) throw wrong("newPassword", "Must differ from the current password");
  const after = await withPassword(user, tenant, newPassword, "newPassword");
  const { write, answer } = await openFor(ctx, { user: after, tenant }, shortUserAgent(ctx.userAgent));
  const beside = [write, clearAttempts(ctx, user.email)];
  const entry = await saveUser(ctx, user, after, { action: "user.changePassword", beside });
  return { ...answer, user: { ...answer.user, version: entry.version ?? answer.user.version } };
}

/** No answer leaves before, so that the time that a mail takes does not tell that an address is known. */
const floorMs = 1000;

/** Mails a link to choose a new password; says the same for every address. AppError `too_many_requests`. */
export async function forgotPassword(ctx: PlatformContext, { email }: ForgottenPassword): Promise<void> {
  const isDue = await takeMail(ctx, email);
  await allDone([ctx.pause(floorMs), isDue ? mailForgottenPassword(ctx, email) : undefined]);
}

/** Chooses a password by a mailed link. AppError `not_doable` for a link that is over, `invalid_request` for a common password. */
export async function setPassword(ctx: PlatformContext, kind: "reset" | "invite", chosen: PasswordByLink): Promise<void> {
  await takeLink(ctx);
  await setPasswordByLink(ctx, kind, chosen);
}
