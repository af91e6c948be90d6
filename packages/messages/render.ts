import { type Attachment, mailFrom } from "@vitaline/aws";
import { filled, type MessagePurpose, type MessageTemplates } from "@vitaline/contract";
import { templateOf, zoneOf } from "@vitaline/offices";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { MessageRequest, Visit } from "./request.ts";

const usualMs = 30 * 60_000;
/** "Name <address>" or the address alone. */
const bare = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();

/**
 * An appointment as calendars take it in, in UTC: the same one under the same UID, a later state of it by a higher sequence.
 * It names the place, and neither the patient nor why they come. Source: RFC 5546, PUBLISH and CANCEL.
 */
function calendarOf({ calendarId, revision, start, end, cancelled }: Visit, place: { name: string; address?: string }): Attachment {
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

/** Who speaks: an office, or the tenant where no office is known. */
export type Sender = { tenant: TenantRow; office?: OfficeRow | undefined };
/** A message as it leaves: to one contact, without anything of a patient but the time of a visit. */
export type Content = { subject: string; text: string; attachments: Attachment[] };

/** Texts that a clinic may write itself, by what they are for. */
const written: Partial<Record<MessagePurpose, keyof MessageTemplates>> = {
  appointment_confirmation: "appointmentConfirmation",
  appointment_reminder: "appointmentReminder",
  follow_up: "followUp",
};
const builtIn: Partial<Record<MessagePurpose, string>> = {
  directions: "{office} is at {address}. If you need help finding it, please call {phone}.",
  callback: "Please call {office} back at {phone}.",
  general: "Thank you for calling {office}. You can reach us at {phone}.",
};
const cancelled = "Your appointment at {office} on {date} at {time} is cancelled. To make another one, please call {phone}.";

/** Carriers ask for it, and AWS heeds the answer. */
const howToStop = "Reply STOP to opt out.";

function templateFor({ tenant, office }: Sender, { purpose, visit }: MessageRequest): string {
  if (visit?.cancelled) return cancelled;
  const name = written[purpose];
  return name ? templateOf(tenant, office, name) : (builtIn[purpose] ?? "");
}

const timesOf = (visit: MessageRequest["visit"], timeZone: string): { date?: string; time?: string } => {
  if (!visit) return {};
  const plain = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(new Date(visit.start)).replace(/\s/gu, " ");
  return {
    date: plain({ weekday: "long", month: "long", day: "numeric" }),
    time: plain({ hour: "numeric", minute: "2-digit" }),
  };
};

/** The words of a message, by the clinic's own templates; undefined when the clinic has nothing to say it with. */
export function render(sender: Sender, request: MessageRequest): Content | undefined {
  const { tenant, office } = sender;
  const name = office?.name ?? tenant.name;
  const address = office?.address ?? tenant.address;
  const phone = office?.phone ?? tenant.contactPhone;
  const { message, purpose, visit, channel } = request;
  const values = { office: name, address, phone, ...timesOf(visit, zoneOf(tenant, office)) };
  // The way to a place that is not on file is not told by a phone number.
  if (purpose === "directions" && message === undefined && !address) return undefined;
  const text = message === undefined ? filled(templateFor(sender, request), values) : `${name}: ${message}`;
  if (text === "") return undefined;
  return {
    subject: `A message from ${name}`,
    text: channel === "sms" ? `${text} ${howToStop}` : text,
    attachments: channel === "email" && visit ? [calendarOf(visit, { name, address })] : [],
  };
}
