import { isAppError } from "@vitaline/core";
import type { TenantRow, UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { linkIsOver, openMailedToken } from "./mailed-token.ts";
import { hashPassword, refuseCommonPassword } from "./password.ts";
import { saveUser } from "./save.ts";

/** A person's and their organisation's names, which make a password easy to guess. */
export const personalWords = (
  { email, firstName, lastName }: Pick<UserRow, "email" | "firstName" | "lastName">,
  tenantName = "",
): string[] => [email, firstName, lastName, tenantName];

/** The user with a new password that they chose themselves: sessions and mailed links of before end. AppError `invalid_request` for a common one. */
export async function withPassword(user: UserRow, tenant: TenantRow | undefined, password: string, field?: string): Promise<UserRow> {
  refuseCommonPassword(password, personalWords(user, tenant?.name), field);
  const { mustChangePassword: _done, invitedAt: _accepted, ...rest } = user;
  return { ...rest, passwordHash: await hashPassword(password), epoch: user.epoch + 1 };
}

const actions = { reset: "user.resetPassword", invite: "user.acceptInvite" } as const;

/** Chooses a password by a mailed link, once. AppError `not_doable` for a link that is over, `invalid_request` for a common password. */
export async function setPasswordByLink(
  ctx: PlatformContext,
  kind: keyof typeof actions,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { user, tenant, used } = await openMailedToken(ctx, kind, token);
  const after = await withPassword(user, tenant, password);
  const { id, role, tenantId } = user;
  const byUser = { ...ctx, platform: ctx.platform.as({ kind: "user", id, role, tenantId }) };
  await saveUser(byUser, user, after, { action: actions[kind], beside: [used] }).catch((error: unknown) => {
    throw isAppError(error, "stale_version") ? linkIsOver(error) : error;
  });
}
