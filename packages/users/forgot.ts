import { errorFields } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailPasswordLink } from "./mails.ts";
import { isOpen, readAccount } from "./people.ts";

/** Nobody's id: an unknown address costs the same reads as a known one. */
const nobody = "0".repeat(26);

/** Mails a link to choose a new password to whoever may sign in; for any other address the log alone tells that it was asked for. */
export async function mailForgottenPassword(ctx: PlatformContext, email: string): Promise<void> {
  const claim = await ctx.platform.get(keys.email(email));
  const account = await readAccount(ctx, claim?.userId ?? nobody, claim?.tenantId);
  const user = account && isOpen(account) ? account.user : undefined;
  const link = user && newMailedToken(ctx, "reset", user);
  const store = claim?.tenantId ? ctx.platform.inTenant(claim.tenantId) : ctx.platform;
  await store.commit(link ? [link.write] : [], {
    category: "configuration_change",
    action: "user.forgotPassword",
    resourceType: "User",
    resourceId: account?.user.id,
    success: link !== undefined,
  });
  // An answer that tells of a mail that failed would tell that the address is known.
  if (link) await mailPasswordLink(ctx, user, link.token).catch((error: unknown) => ctx.log("error", "mail_failed", errorFields(error)));
}
