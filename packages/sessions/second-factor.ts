import type { ProofOfPassword, TotpEnrolment, User } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, nextVersion, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import {
  confirmTotp,
  enrollTotp,
  mailTotpEnabled,
  readUser,
  resetTotpOfColleague,
  type TeamContext,
  verifyPassword,
  saveUser,
  totpStepOf,
  remainingRecoveryCodes,
  wrongTotpCode,
} from "@vitaline/users";
import { ownAccount, pendingAtStart, type SignedInContext } from "./check.ts";
import { clearAttempts, recordFailure, takeAttempts } from "./throttle.ts";

/** A TOTP time step, or the recovery codes that remain. Both undefined if no factor is required. */
export type SecondFactor = { step?: number; recovery?: string[] };

export const codeRequired = () => new AppError("totp_required", "Please enter the code from your authenticator app.");

/** undefined for a wrong code. */
export async function verifySecondFactor(user: UserRow, code: string, now: Date): Promise<SecondFactor | undefined> {
  const step = await totpStepOf(user, code, now);
  if (step !== undefined) return { step };
  const recovery = remainingRecoveryCodes(user, code);
  return recovery && { recovery };
}

/** A time step counts once: its condition fails for the second use. `recovery` raises the user's version. */
export const signInWrite = (
  user: UserRow,
  { step, recovery }: SecondFactor,
  { lastLogin, lastNetwork }: Required<Pick<UserDirectoryRow, "lastLogin" | "lastNetwork">>,
): Write =>
  update(
    keys.userDirectory(user.id),
    { set: { lastLogin, lastNetwork, totpStep: step, version: recovery && nextVersion(user, undefined).version } },
    { exists: true, ...(step === undefined ? {} : { lessThanOrAbsent: { totpStep: step } }) },
  );

export const recoveryCodeWrite = (user: UserRow, recovery: string[]): Write => {
  const { version, asRead } = nextVersion(user, undefined);
  const totp = user.totp && { ...user.totp, recovery };
  return update(keys.user(user.id), { set: { totp, version } }, asRead);
};

/** A sign-in proves the user's identity for this long. */
const freshMs = 5 * 60_000;

/** AppErrors as requireProof; `not_doable` if a second factor is on. */
export async function enrollOwnTotp(ctx: SignedInContext, proof: ProofOfPassword): Promise<TotpEnrolment> {
  await requireProof(ctx, proof);
  return enrollTotp(ctx, ctx.session.actor.id);
}

/** AppErrors as requireProof and resetTotpOfColleague. */
export async function resetColleagueTotp(ctx: SignedInContext & TeamContext, userId: string, proof: ProofOfPassword): Promise<User> {
  await readUser(ctx, userId, ctx.tenantId);
  await requireProof(ctx, proof);
  return resetTotpOfColleague(ctx, userId);
}

/**
 * A session may be an unattended screen, so the password is required if the sign-in is older than five minutes. AppError
 * `invalid_request` about `currentPassword`, `too_many_requests`.
 */
async function requireProof(ctx: SignedInContext, { currentPassword }: ProofOfPassword): Promise<void> {
  const isFresh = ctx.clock().getTime() - Date.parse(ctx.session.startedAt) < freshMs;
  if (currentPassword !== undefined || !isFresh) await requirePassword(ctx, currentPassword);
}

async function requirePassword(ctx: SignedInContext, password: string | undefined): Promise<void> {
  const wrong = (message: string) => new AppError("invalid_request", message, { fields: { currentPassword: message } });
  if (password === undefined) throw wrong("Please enter your password");
  const { user } = await ownAccount(ctx, ctx.session);
  await awaitAllThenThrow(takeAttempts(ctx, user.email));
  if (await verifyPassword(password, user.passwordHash)) {
    await ctx.platform.writeUnaudited(clearAttempts(ctx, user.email));
    return;
  }
  await recordFailure(ctx, user);
  throw wrong("The password is not correct");
}

/**
 * Turns the second factor on, notifies the owner by mail and returns ten recovery codes. AppError `invalid_request` for a wrong
 * code, `too_many_requests`.
 */
export async function confirmOwnTotp(ctx: SignedInContext, code: string): Promise<string[]> {
  const { user } = await ownAccount(ctx, ctx.session);
  await awaitAllThenThrow(takeAttempts(ctx, user.email));
  const recoveryCodes = await confirmTotp(ctx, user.id, code).catch(async (error: unknown) => {
    if (isAppError(error, "invalid_request")) await recordFailure(ctx, user);
    throw error;
  });
  await ctx.platform.writeUnaudited(clearAttempts(ctx, user.email));
  await mailTotpEnabled(ctx, user).catch((error: unknown) => ctx.log("error", "mail.failed", errorFields(error)));
  return recoveryCodes;
}

/** Ends all other sessions. AppError `invalid_request` for a wrong code, `too_many_requests`, `not_doable` if it is off. */
export async function removeTotp(ctx: SignedInContext, code: string): Promise<void> {
  const { sid } = ctx.session;
  const { user, tenant } = await ownAccount(ctx, ctx.session);
  if (!user.totp?.confirmedAt) throw new AppError("not_doable", "Two-factor sign-in is not on.");
  await awaitAllThenThrow(takeAttempts(ctx, user.email));
  const factor = await verifySecondFactor(user, code, ctx.clock());
  if (!factor) {
    await recordFailure(ctx, user);
    throw wrongTotpCode();
  }
  const { totp: _removed, ...rest } = user;
  const after = { ...rest, epoch: user.epoch + 1 };
  const kept = { userEpoch: after.epoch, pending: pendingAtStart(after, tenant) };
  const extraWrites = [update(keys.session(user.id, sid), { set: kept }, { exists: true }), clearAttempts(ctx, user.email)];
  const saving = { action: "user.removeTotp", totpStep: factor.step, extraWrites };
  await saveUser(ctx, user, after, saving).catch((error: unknown) => {
    throw isAppError(error, "stale_version") ? wrongTotpCode() : error;
  });
}
