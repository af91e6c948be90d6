import { createHash } from "node:crypto";
import { notFound } from "@vitaline/core";
import { keys, tenantStore, type OfficeRow } from "@vitaline/store";
import type { DirectoryContext } from "@vitaline/store/scoped.ts";
import ical, { ICalEventStatus } from "ical-generator";
import { readEntries, type ShownEntry } from "./entries.ts";
import { lookupOf } from "./feed.ts";

const defaultDurationMs = 30 * 60_000;
const refreshSeconds = 900;

/**
 * RFC 5545, in UTC. Contains no patient, reason or location: the location may differ from the called office. The same entries give
 * the same text.
 */
export function calendarText(office: Pick<OfficeRow, "name">, entries: readonly ShownEntry[]): string {
  const calendar = ical({
    prodId: { company: "Vitaline", product: "Appointments", language: "EN" },
    // ical-generator escapes the texts of events only
    name: `Appointments booked through ${office.name}`.replace(/[\\;,]/g, "\\$&"),
    ttl: refreshSeconds,
  });
  for (const { id, status, start, end, changedAt } of entries)
    calendar.createEvent({
      id: `${id}@vitaline`,
      sequence: status === "cancelled" ? 1 : 0,
      status: status === "cancelled" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      start: new Date(start),
      end: new Date(end ?? Date.parse(start) + defaultDurationMs),
      stamp: new Date(changedAt),
      summary: "Appointment",
    });
  return calendar.toString();
}

/**
 * The feed of a secret address and its ETag (RFC 9110, 8.8.3). AppError `not_found` for an unknown or replaced address, an inactive
 * tenant or an inactive office.
 */
export async function readCalendar(ctx: DirectoryContext, secret: string): Promise<{ text: string; etag: string }> {
  const lookup = lookupOf(secret);
  const owner = await ctx.platform.get(keys.calendarOwner(lookup));
  if (!owner) throw notFound();
  const { tenantId, officeId } = owner;
  const store = tenantStore(ctx, tenantId);
  const [tenant, office, feed] = await store.batchGet([keys.tenantConfig(), keys.office(officeId), keys.calendarFeed(officeId)]);
  if (!tenant?.isActive || !office?.isActive || feed?.lookupHash !== lookup) throw notFound();
  const text = calendarText(office, await readEntries(store, owner, ctx.clock()));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}
