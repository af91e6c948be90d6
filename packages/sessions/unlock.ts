import type { User } from "@vitaline/contract";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser, readUser, tenantNameOf, unlocked } from "@vitaline/users";
import { clearAllAttempts } from "./throttle.ts";

/** Forgets the failed sign-ins of a user, so that the next attempt is free again. AppError `not_found`. */
export async function unlockUser(ctx: PlatformContext, userId: string): Promise<User> {
  const { user, entry } = await readUser(ctx, userId);
  const tenantName = await tenantNameOf(ctx, user);
  const store = user.tenantId ? ctx.platform.inTenant(user.tenantId) : ctx.platform;
  await store.commit([await clearAllAttempts(ctx, user.email), unlocked(ctx, userId)], {
    category: "configuration_change",
    action: "user.unlock",
    resourceType: "User",
    resourceId: userId,
  });
  return asUser(entry, tenantName);
}
