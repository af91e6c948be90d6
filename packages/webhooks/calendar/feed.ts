import { randomBytes } from "node:crypto";
import type { CalendarFeed, CalendarFeedAddress } from "@vitaline/contract";
import { sha256In, notFound } from "@vitaline/core";
import { check, create, keys, put, remove, type CalendarFeedRow, type Condition, type TenantContext } from "@vitaline/store";

const secretBytes = 32;
/** Only this hash of an address's secret is stored. */
export const lookupOf = (secret: string): string => sha256In("calendar-feed", secret);

const audit = (action: string, officeId: string) => ({
  category: "configuration_change" as const,
  action,
  resourceType: "Office",
  resourceId: officeId,
});

async function readFeed(ctx: TenantContext, officeId: string): Promise<CalendarFeedRow | undefined> {
  const [office, feed] = await ctx.store.batchGet([keys.office(officeId), keys.calendarFeed(officeId)]);
  if (!office) throw notFound();
  return feed;
}

/** AppError `not_found` for an office that is not the tenant's; the same for the other functions. */
export async function readCalendarFeed(ctx: TenantContext, officeId: string): Promise<CalendarFeed> {
  const feed = await readFeed(ctx, officeId);
  return { isOn: feed !== undefined, createdAt: feed?.createdAt ?? null };
}

/** Fails if another administrator changed the feed meanwhile. */
const feedUnchanged = (feed: CalendarFeedRow | undefined): Condition =>
  feed ? { equals: { lookupHash: feed.lookupHash } } : { exists: false };

/** Replaces the secret address. AppError `stale_version` or `duplicate` for two concurrent renewals. */
export async function renewCalendarFeed(ctx: TenantContext, officeId: string): Promise<CalendarFeedAddress> {
  const before = await readFeed(ctx, officeId);
  const secret = randomBytes(secretBytes).toString("base64url");
  const lookupHash = lookupOf(secret);
  const createdAt = ctx.clock().toISOString();
  await ctx.store.commit(
    [
      check(keys.office(officeId), { exists: true }),
      put(keys.calendarFeed(officeId), { lookupHash, createdAt }, feedUnchanged(before)),
      create(keys.calendarToken(lookupHash), { tenantId: ctx.tenantId, officeId }),
      ...(before ? [remove(keys.calendarToken(before.lookupHash))] : []),
    ],
    audit("office.calendarFeed.renew", officeId),
  );
  return { url: `${ctx.origin}/api/calendar/${secret}.ics`, createdAt };
}

export async function deleteCalendarFeed(ctx: TenantContext, officeId: string): Promise<void> {
  const before = await readFeed(ctx, officeId);
  if (!before) return;
  await ctx.store.commit(
    [remove(keys.calendarFeed(officeId), feedUnchanged(before)), remove(keys.calendarToken(before.lookupHash))],
    audit("office.calendarFeed.end", officeId),
  );
}
