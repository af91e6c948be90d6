import type { User } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { onFreshRead } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser } from "./listing.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailInvitation } from "./mails.ts";
import { readUser, tenantNameOf } from "./people.ts";
import { saveUser } from "./save.ts";

/** Mails an invitation again; links of before are worth nothing. AppError `not_doable` for who has accepted or is inactive. */
export async function resendInvite(ctx: PlatformContext, userId: string): Promise<User> {
  const { shown, after, token } = await onFreshRead(undefined, async () => {
    const { user, entry, lockedUntil } = await readUser(ctx, userId);
    if (user.invitedAt === undefined) throw new AppError("not_doable", "This user has no open invitation.");
    if (!user.isActive) throw new AppError("not_doable", "This user is inactive. Please reactivate them first.");
    const invited = { ...user, invitedAt: ctx.clock().toISOString(), epoch: user.epoch + 1 };
    const { token: secret, write } = newMailedToken(ctx, "invite", invited);
    const tenantName = await tenantNameOf(ctx, user);
    const saved = await saveUser(ctx, user, invited, { action: "user.invite", beside: [write] });
    return { shown: asUser({ ...saved, lastLogin: entry.lastLogin }, tenantName, lockedUntil), after: invited, token: secret };
  });
  await mailInvitation(ctx, after, token, shown.tenantName);
  return shown;
}
