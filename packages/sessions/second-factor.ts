import { AppError } from "@vitaline/core";
import { keys, nextVersion, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { stepOf, withoutRecoveryCode } from "@vitaline/users";

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
