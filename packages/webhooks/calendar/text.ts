import type { OfficeRow } from "@vitaline/store";
import ical, { ICalEventStatus } from "ical-generator";
import type { ShownEntry } from "./entries.ts";

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
