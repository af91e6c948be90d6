import { allDone, AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, nextVersion, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { confirmTotp, enrollTotp, mailTotpIsOn, passwordMatches, saveUser, stepOf, withoutRecoveryCode, wrongCode } from "@vitaline/users";
import type { ProofOfPassword, TotpEnrolment } from "@vitaline/contract";
import { ownAccount, pendingAtStart, type SignedInContext } from "./check.ts";
import { clearAttempts, countFailure, takeAttempt } from "./throttle.ts";

/** What proved that the person holds a second factor: a time step, or a recovery code that leaves these. Neither where none is asked for. */
export type SecondFactor = { step?: number; recovery?: string[] };

export const codeWanted = () => new AppError("totp_required", "Please enter the code of your authenticator.");

/** What a code proves; undefined for a wrong one. */
export async function factorIn(user: UserRow, code: string, now: Date): Promise<SecondFactor | undefined> {
  const step = await stepOf(user, code, now);
  if (step !== undefined) return { step };
  const recovery = withoutRecoveryCode(user, code);
  return recovery && { recovery };
}

/**
 * What a sign-in writes into the directory. A time step counts once: its condition fails for who comes second.
 * `recovery` raises the version of the user, which the entry says, too.
 */
export const signInEntry = (
  user: UserRow,
  { step, recovery }: SecondFactor,
  { lastLogin, lastNetwork }: Required<Pick<UserDirectoryRow, "lastLogin" | "lastNetwork">>,
): Write =>
  update(
    keys.userDirectory(user.id),
    { set: { lastLogin, lastNetwork, totpStep: step, version: recovery && nextVersion(user, undefined).version } },
    { exists: true, ...(step === undefined ? {} : { lessThanOrAbsent: { totpStep: step } }) },
  );

/** The write that a recovery code is gone with. */
export const recoveryUsed = (user: UserRow, recovery: string[]): Write => {
  const { version, asRead } = nextVersion(user, undefined);
  const totp = user.totp && { ...user.totp, recovery };
  return update(keys.user(user.id), { set: { totp, version } }, asRead);
};

/** As long as a sign-in is proof enough of who it is. */
const freshMs = 5 * 60_000;

/**
 * A new secret for an authenticator. A session alone may be a screen left open, so the password is asked for when the sign-in is longer
 * ago than five minutes. AppError `invalid_request` about `currentPassword`, `too_many_requests` when guessing, `not_doable` when a
 * second factor is on.
 */
export async function enrollOwnTotp(ctx: SignedInContext, { currentPassword }: ProofOfPassword): Promise<TotpEnrolment> {
  const isFresh = ctx.clock().getTime() - Date.parse(ctx.session.startedAt) < freshMs;
  if (currentPassword !== undefined || !isFresh) await requirePassword(ctx, currentPassword);
  return enrollTotp(ctx, ctx.session.actor.id);
}

async function requirePassword(ctx: SignedInContext, password: string | undefined): Promise<void> {
  const wrong = (message: string) => new AppError("invalid_request", message, { fields: { currentPassword: message } });
  if (password === undefined) throw wrong("Please enter your password");
  const { user } = await ownAccount(ctx, ctx.session);
  await allDone(takeAttempt(ctx, user.email));
  if (await passwordMatches(password, user.passwordHash)) {
    await ctx.platform.note(clearAttempts(ctx, user.email));
    return;
  }
  await countFailure(ctx, user);
  throw wrong("The password is not correct");
}

/**
 * Turns the second factor on by a first code of it, and tells the owner by mail; gives ten recovery codes.
 * AppError `invalid_request` for a wrong code, `too_many_requests` when guessing.
 */
export async function confirmOwnTotp(ctx: SignedInContext, code: string): Promise<string[]> {
  const { user } = await ownAccount(ctx, ctx.session);
  await allDone(takeAttempt(ctx, user.email));
  const recoveryCodes = await confirmTotp(ctx, user.id, code).catch(async (error: unknown) => {
    if (isAppError(error, "invalid_request")) await countFailure(ctx, user);
    throw error;
  });
  await ctx.platform.note(clearAttempts(ctx, user.email));
  await mailTotpIsOn(ctx, user).catch((error: unknown) => ctx.log("error", "mail_failed", errorFields(error)));
  return recoveryCodes;
}

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
