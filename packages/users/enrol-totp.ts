import type { TotpEnrolment } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readUser } from "./people.ts";
import { saveUser } from "./save.ts";
import { newRecoveryCodes, newTotp, stepOf } from "./totp.ts";

/** What somebody who is signed in typed wrong. */
export const wrongCode = () =>
  new AppError("invalid_request", "This code is not right. Please enter the one that is shown now.", { fields: { code: "Is not right" } });
const alreadyOn = () => new AppError("not_doable", "Two-factor sign-in is on already. Please turn it off first.");

/** A new secret for an authenticator; it counts once a code of it was confirmed. AppError `not_doable` when one counts already. */
export async function enrollTotp(ctx: PlatformContext, userId: string): Promise<TotpEnrolment> {
  const { user } = await readUser(ctx, userId);
  if (user.totp?.confirmedAt) throw alreadyOn();
  const { secret, otpauthUri, sealed } = await newTotp(user);
  const offered = { ...user, totp: { sealed, recovery: [] } };
  await saveUser(ctx, user, offered, { action: "user.enrollTotp" });
  return { secret, otpauthUri };
}

/** Turns the second factor on; gives ten recovery codes. AppError `invalid_request` for a wrong code. */
export async function confirmTotp(ctx: PlatformContext, userId: string, code: string): Promise<string[]> {
  const { user } = await readUser(ctx, userId);
  if (!user.totp) throw new AppError("not_doable", "Please start to set up two-factor sign-in first.");
  if (user.totp.confirmedAt) throw alreadyOn();
  const totpStep = await stepOf(user, code, ctx.clock());
  if (totpStep === undefined) throw wrongCode();
  const { codes, hashes } = newRecoveryCodes(userId);
  const totp = { ...user.totp, confirmedAt: ctx.clock().toISOString(), recovery: hashes };
  await saveUser(ctx, user, { ...user, totp }, { action: "user.confirmTotp", totpStep });
  return codes;
}
