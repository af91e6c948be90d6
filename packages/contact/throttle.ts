import { AppError, networkOf } from "@vitaline/core";
import { countWithin, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const windowSeconds = 3600;
/** In an hour: from one address, from all of them together, and from one tenant's people, who take none of the visitors'. */
const allowed = { contact: 5, contactFromAll: 200, contactOfTenant: 5 } as const;
type Budget = readonly [kind: keyof typeof allowed, subject: string];

/** Takes one of the messages that visitors have free this hour, before anything else is done. AppError `too_many_requests`. */
export async function takeMessage(ctx: PlatformContext): Promise<void> {
  // One's own come first, so that whoever has none left takes none of everybody's.
  await take(ctx, ["contact", networkOf(ctx.clientAddress)]);
  await take(ctx, ["contactFromAll", "all"]);
}

/** Takes one of the messages that a tenant has free this hour. AppError `too_many_requests`. */
export const takeTenantMessage = (ctx: PlatformContext, tenantId: string): Promise<void> => take(ctx, ["contactOfTenant", tenantId]);

async function take(ctx: PlatformContext, [kind, subject]: Budget): Promise<void> {
  const seconds = Math.floor(ctx.clock().getTime() / 1000);
  const end = seconds - (seconds % windowSeconds) + windowSeconds;
  const limits = { count: allowed[kind] };
  if (!(await countWithin(ctx.platform, keys.throttle(kind, subject, String(end)), { limits, expiresAt: end })))
    throw new AppError("too_many_requests", "Too many messages in the last hour. Please try again later, or call us.", {
      retryAfterSeconds: end - seconds,
    });
}
