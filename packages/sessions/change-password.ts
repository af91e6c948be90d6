import type { PasswordChange, SignedIn } from "@vitaline/contract";
import { allDone, AppError } from "@vitaline/core";
import { passwordMatches, saveUser, withPassword } from "@vitaline/users";
import { ownAccount } from "./check.ts";
import { openFor } from "./open.ts";
import type { SignedInContext } from "./own-sessions.ts";
import { clearAttempts, countFailure, takeAttempt } from "./throttle.ts";
import { shortUserAgent } from "./user-agent.ts";

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
