import type { PasswordReset, User } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { onFreshRead, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { chosenForAnother } from "./create.ts";
import { asUser } from "./listing.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailPasswordLink } from "./mails.ts";
import { hashPassword, refuseCommonPassword } from "./password.ts";
import { readUser, tenantNameOf } from "./people.ts";
import { saveUser } from "./save.ts";
import { personalWords } from "./set-password.ts";

/**
 * An administrator's help for who cannot sign in: a password to be changed at once, or a link to choose one; on demand
 * without the second factor from now on. Every session ends. AppError `not_doable` for oneself, `invalid_request` for a common password.
 */
export async function resetPassword(ctx: PlatformContext, userId: string, { password, removeTotp }: PasswordReset): Promise<User> {
  if (ctx.actor.id === userId) throw new AppError("not_doable", "Please change your own password in your account.");
  // Hashing is dear by design: once, however often the change is tried.
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const { shown, after, token } = await onFreshRead(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId);
    if (!user.isActive) throw new AppError("not_doable", "This user is inactive. Please reactivate them first.");
    const tenantName = await tenantNameOf(ctx, user);
    if (password !== undefined) refuseCommonPassword(password, personalWords(user, tenantName));
    // With a link on its way the old password is worth nothing: whoever asked for help may have lost it to somebody.
    const { totp, invitedAt, passwordHash: _old, ...rest } = user;
    const set: Partial<UserRow> = passwordHash === undefined ? {} : { ...chosenForAnother(ctx), passwordHash };
    const next: UserRow = {
      ...rest,
      ...(removeTotp || !totp ? {} : { totp }),
      ...(password !== undefined || !invitedAt ? {} : { invitedAt }),
      ...set,
      epoch: user.epoch + 1,
    };
    const link = password === undefined ? newMailedToken(ctx, "reset", next) : undefined;
    const saved = await saveUser(ctx, user, next, {
      action: "user.resetPassword",
      beside: link && [link.write],
      detail: { byLink: link !== undefined, totpRemoved: removeTotp === true && totp !== undefined },
    });
    return { shown: asUser({ ...saved, lastLogin: entry.lastLogin }, tenantName, lockedUntil), after: next, token: link?.token };
  });
  if (token !== undefined) await mailPasswordLink(ctx, after, token);
  return shown;
}
