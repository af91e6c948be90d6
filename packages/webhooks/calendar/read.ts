import { createHash } from "node:crypto";
import { notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { entriesOf } from "./entries.ts";
import { lookupOf } from "./feed.ts";
import { calendarText } from "./text.ts";

/**
 * The calendar of the office whose secret address somebody knows, and its tag (RFC 9110, 8.8.3), which is the same for the same
 * calendar. AppError `not_found` for what is no address, or no longer one, and where the tenant or the office is inactive.
 */
export async function readCalendar(ctx: PlatformContext, secret: string): Promise<{ text: string; etag: string }> {
  const lookup = lookupOf(secret);
  const owner = await ctx.platform.get(keys.calendarOwner(lookup));
  if (!owner) throw notFound();
  const { tenantId, officeId } = owner;
  const store = ctx.platform.inTenant(tenantId);
  const [tenant, office, feed] = await store.batchGet([keys.tenantConfig(), keys.office(officeId), keys.calendarFeed(officeId)]);
  if (!tenant?.isActive || !office?.isActive || feed?.lookup !== lookup) throw notFound();
  const text = calendarText(office, await entriesOf(store, owner, ctx.clock()));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}
