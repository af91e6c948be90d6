import { allDone, AppError, isAppError } from "@vitaline/core";
import { keys, update } from "@vitaline/store";
import { saveUser, wrongCode } from "@vitaline/users";
import { ownAccount } from "./check.ts";
import type { SignedInContext } from "./own-sessions.ts";
import { pendingAtStart } from "./pending.ts";
import { factorIn } from "./second-factor.ts";
import { clearAttempts, countFailure, takeAttempt } from "./throttle.ts";

/**
 * Turns the second factor off, by a code of it: every other session ends, and this one has to enrol anew where it must be on.
 * AppError `invalid_request` for a wrong code, `too_many_requests` when guessing, `not_doable` when it is off.
 */
export async function removeTotp(ctx: SignedInContext, code: string): Promise<void> {
  const { sid } = ctx.session;
  const { user, tenant } = await ownAccount(ctx, ctx.session);
  if (!user.totp?.confirmedAt) throw new AppError("not_doable", "Two-factor sign-in is not on.");
  await allDone(takeAttempt(ctx, user.email));
  const factor = await factorIn(user, code, ctx.clock());
  if (!factor) {
    await countFailure(ctx, user);
    throw wrongCode();
  }
  const { totp: _removed, ...rest } = user;
  const after = { ...rest, epoch: user.epoch + 1 };
  const kept = { userEpoch: after.epoch, pending: pendingAtStart(after, tenant) };
  const beside = [update(keys.session(user.id, sid), { set: kept }, { exists: true }), clearAttempts(ctx, user.email)];
  const saving = { action: "user.removeTotp", totpStep: factor.step, beside };
  await saveUser(ctx, user, after, saving).catch((error: unknown) => {
    throw isAppError(error, "stale_version") ? wrongCode() : error;
  });
}
