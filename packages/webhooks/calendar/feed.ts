import { randomBytes } from "node:crypto";
import type { CalendarFeed, CalendarFeedAddress } from "@vitaline/contract";
import { digest, notFound } from "@vitaline/core";
import { check, create, keys, put, remove, type Condition, type CalendarFeedRow, type TenantContext } from "@vitaline/store";

const secretBytes = 32;
/** Under this the secret part of an address is found; it is kept nowhere itself. */
export const lookupOf = (secret: string): string => digest("calendar-feed", secret);

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

/** AppError `not_found` for an office that is not the tenant's, here and below. */
export async function showFeed(ctx: TenantContext, officeId: string): Promise<CalendarFeed> {
  const feed = await readFeed(ctx, officeId);
  return { isOn: feed !== undefined, createdAt: feed?.createdAt ?? null };
}

/** As it was read: of two administrators at once, one is told. */
const asRead = (feed: CalendarFeedRow | undefined): Condition => (feed ? { equals: { lookup: feed.lookup } } : { exists: false });

/** A new secret address; one from before is over with the same write. AppError `stale_version` or `duplicate` when two do it at once. */
export async function renewFeed(ctx: TenantContext, officeId: string): Promise<CalendarFeedAddress> {
  const before = await readFeed(ctx, officeId);
  const secret = randomBytes(secretBytes).toString("base64url");
  const lookup = lookupOf(secret);
  const createdAt = ctx.clock().toISOString();
  await ctx.store.commit(
    [
      check(keys.office(officeId), { exists: true }),
      put(keys.calendarFeed(officeId), { lookup, createdAt }, asRead(before)),
      create(keys.calendarToken(lookup), { tenantId: ctx.tenantId, officeId }),
      ...(before ? [remove(keys.calendarToken(before.lookup))] : []),
    ],
    audit("office.calendarFeed.renew", officeId),
  );
  return { url: `${ctx.origin}/api/calendar/${secret}.ics`, createdAt };
}

/** The address is over; where there is none, nothing happens. */
export async function endFeed(ctx: TenantContext, officeId: string): Promise<void> {
  const before = await readFeed(ctx, officeId);
  if (!before) return;
  await ctx.store.commit(
    [remove(keys.calendarFeed(officeId), asRead(before)), remove(keys.calendarToken(before.lookup))],
    audit("office.calendarFeed.end", officeId),
  );
}
