import type { ForgottenPassword, PasswordByLink } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { mailForgottenPassword, setPasswordByLink } from "@vitaline/users";
import { takeLink, takeMail } from "./throttle.ts";

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
