import { mailFrom, type Attachment } from "@vitaline/aws";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { Visit } from "./request.ts";

const usualMs = 30 * 60_000;
/** "Name <address>" or the address alone. */
const bare = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();

/**
 * An appointment as calendars take it in, in UTC: the same one under the same UID, a later state of it by a higher sequence.
 * It names the place, and neither the patient nor why they come. Source: RFC 5546, PUBLISH and CANCEL.
 */
export function calendarOf({ calendarId, revision, start, end, cancelled }: Visit, place: { name: string; address?: string }): Attachment {
  const method = cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH;
  const calendar = ical({ prodId: { company: "Vitaline", product: "Appointments", language: "EN" }, method });
  calendar.createEvent({
    id: `${calendarId}@vitaline`,
    sequence: revision,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    start: new Date(start),
    end: new Date(end ?? Date.parse(start) + usualMs),
    stamp: new Date(revision * 60_000),
    summary: `Appointment at ${place.name}`,
    ...(place.address ? { location: place.address } : {}),
    organizer: { name: place.name, email: bare(mailFrom() ?? "") },
  });
  return { fileName: "appointment.ics", contentType: `text/calendar; method=${method}; charset=utf-8`, content: calendar.toString() };
}
