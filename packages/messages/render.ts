import { mailFrom, type Attachment } from "@vitaline/aws";
import { fillTemplate, type MessagePurpose, type MessageTemplates } from "@vitaline/contract";
import { templateOf, timeZoneOf } from "@vitaline/offices";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { MessageRequest, Visit } from "./request.ts";

export type Sender = { tenant: TenantRow; office?: OfficeRow | undefined };
/** A rendered message. The only patient data in it is the time of the visit. */
export type Content = { subject: string; text: string; attachments: Attachment[] };

const editable: Partial<Record<MessagePurpose, keyof MessageTemplates>> = {
  appointment_confirmation: "appointmentConfirmation",
  appointment_reminder: "appointmentReminder",
  follow_up: "followUp",
};
const builtIn: Partial<Record<MessagePurpose, string>> = {
  directions: "{office} is at {address}. If you need help finding it, please call {phone}.",
  callback: "Please call {office} back at {phone}.",
  general: "Thank you for calling {office}. You can reach us at {phone}.",
};
const canceled = "Your appointment at {office} on {date} at {time} is canceled. To schedule another one, please call {phone}.";
/** Required by carriers; AWS processes the reply. */
const howToStop = "Reply STOP to opt out.";

/** Undefined if there is no text for the purpose. */
export function render(sender: Sender, request: MessageRequest): Content | undefined {
  const { tenant, office } = sender;
  const name = office?.name ?? tenant.name;
  const address = office?.address ?? tenant.address;
  const phone = office?.phone ?? tenant.contactPhone;
  const { message, purpose, visit, channel } = request;
  const values = { office: name, address, phone, ...visitTimes(visit, timeZoneOf(tenant, office)) };
  // Without an address the template would leave only the phone number.
  if (purpose === "directions" && message === undefined && !address) return undefined;
  const text = message === undefined ? fillTemplate(templateFor(sender, request), values) : `${name}: ${message}`;
  if (text === "") return undefined;
  return {
    subject: `A message from ${name}`,
    text: channel === "sms" ? `${text} ${howToStop}` : text,
    attachments: channel === "email" && visit ? [calendarFile(visit, { name, address })] : [],
  };
}

function templateFor({ tenant, office }: Sender, { purpose, visit }: MessageRequest): string {
  if (visit?.cancelled) return canceled;
  const name = editable[purpose];
  return name ? templateOf(tenant, office, name) : (builtIn[purpose] ?? "");
}

const visitTimes = (visit: MessageRequest["visit"], timeZone: string): { date?: string; time?: string } => {
  if (!visit) return {};
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(new Date(visit.start)).replace(/\s/gu, " ");
  return {
    date: format({ weekday: "long", month: "long", day: "numeric" }),
    time: format({ hour: "numeric", minute: "2-digit" }),
  };
};

const defaultVisitMs = 30 * 60_000;

/**
 * An iCalendar file in UTC. All states of an appointment have the same UID and an increasing sequence. It names the place, not the
 * patient or the reason. Source: RFC 5546, PUBLISH and CANCEL.
 */
function calendarFile(
  { calendarId, revision, start, end, cancelled: isCancelled }: Visit,
  place: { name: string; address?: string },
): Attachment {
  const method = isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH;
  const calendar = ical({ prodId: { company: "Vitaline", product: "Appointments", language: "EN" }, method });
  calendar.createEvent({
    id: `${calendarId}@vitaline`,
    sequence: revision,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    start: new Date(start),
    end: new Date(end ?? Date.parse(start) + defaultVisitMs),
    stamp: new Date(revision * 60_000),
    summary: `Appointment at ${place.name}`,
    ...(place.address ? { location: place.address } : {}),
    organizer: { name: place.name, email: bareAddress(mailFrom() ?? "") },
  });
  return { fileName: "appointment.ics", contentType: `text/calendar; method=${method}; charset=utf-8`, content: calendar.toString() };
}

/** The address in "Name <address>", or the text itself. */
const bareAddress = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();
