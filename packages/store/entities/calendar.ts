import { partitions, tenantPartitions } from "./partitions.ts";
import { tenantEntity, keyInScope } from "./entity.ts";

/**
 * An appointment booked through the platform. Without office and start it was cancelled before its booking was projected, and
 * is in no calendar.
 */
export type CalendarEntryRow = {
  id: string;
  status: "booked" | "cancelled";
  start?: string;
  end?: string;
  officeId?: string;
  /** When the status changed. */
  changedAt: string;
  expiresAt: number;
  gsi1pk?: string;
  gsi1sk?: string;
};
/** `id`: hash of the appointment's id. */
export const calendarEntry = tenantEntity<CalendarEntryRow, [id: string]>({
  entity: "calendarEntry",
  writeKind: "projected",
  lifetime: "expires",
  gsi1: ["calendar"],
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.calendarEntries(tenantId), sk: id }),
});

/** An office's secret calendar address. `lookup`: hash of its secret part. */
export type CalendarFeedRow = { lookupHash: string; createdAt: string };
export const calendarFeed = tenantEntity<CalendarFeedRow, [officeId: string]>({
  entity: "calendarFeed",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, officeId) => ({ pk: tenantPartitions.config(tenantId), sk: `CALENDAR#${officeId}` }),
});

/** The office of a calendar address. */
export type CalendarTokenRow = { tenantId: string; officeId: string };
export const calendarToken = tenantEntity<CalendarTokenRow, [sha256: string]>({
  entity: "calendarToken",
  writeKind: "audited",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, sha256) => ({ pk: partitions.calendarToken(sha256), sk: "CALENDAR" }),
});
export const calendarOwner = (sha256: string) => keyInScope("directory", calendarToken(sha256));
