import { keys, type OfficeRow } from "@vitaline/store";
import ical, { ICalEventStatus } from "ical-generator";
import { createHash } from "node:crypto";
import { notFound } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { entriesOf, type ShownEntry } from "./entries.ts";
import { lookupOf } from "./feed.ts";

const usualMs = 30 * 60_000;
/** How often whoever subscribes should look again. */
const refreshSeconds = 900;

/**
 * Appointments as a calendar (RFC 5545), in UTC: the time, and nothing of whom they are with or why, nor where, which may be
 * another place than the office that was called. The same entries give the same text.
 */
export function calendarText(office: Pick<OfficeRow, "name">, entries: readonly ShownEntry[]): string {
  const calendar = ical({
    prodId: { company: "Vitaline", product: "Appointments", language: "EN" },
    name: `Appointments booked through ${office.name}`,
    ttl: refreshSeconds,
  });
  for (const { id, status, start, end, changedAt } of entries)
    calendar.createEvent({
      id: `${id}@vitaline`,
      sequence: status === "cancelled" ? 1 : 0,
      status: status === "cancelled" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      start: new Date(start),
      end: new Date(end ?? Date.parse(start) + usualMs),
      stamp: new Date(changedAt),
      summary: "Appointment",
    });
  return calendar.toString();
}

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
