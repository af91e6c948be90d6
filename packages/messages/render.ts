import { mailFrom, type Attachment } from "@vitaline/aws";
import { fillTemplate, type Language } from "@vitaline/contract";
import { templateOf, timeZoneOf, defaultLanguageOf } from "@vitaline/offices";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { MessageRequest, Visit } from "./request.ts";
import { editable, texts, visitTime } from "./texts.ts";

export type Sender = { tenant: TenantRow; office?: OfficeRow | undefined };
/** A rendered message. The only patient data in it is the time and place of the visit. */
export type Content = { subject: string; text: string; attachments: Attachment[] };

/** Undefined if there is no text for the purpose. */
export function render(sender: Sender, request: MessageRequest): Content | undefined {
  const { tenant, office } = sender;
  const name = office?.name ?? tenant.name;
  const own = { name, address: office?.address ?? tenant.address };
  const phone = office?.phone ?? tenant.contactPhone;
  const { message, purpose, visit, channel, language = defaultLanguageOf(tenant, office) } = request;
  // The address of another place is not known.
  const place: Place = visit?.place === undefined || isSameName(visit.place, name) ? own : { name: visit.place };
  const timeZone = timeZoneOf(tenant, office);
  const values = { office: place.name, address: place.address, phone, ...(visit ? visitTime(language, visit.start, timeZone) : {}) };
  // Without an address the template would leave only the phone number.
  if (purpose === "directions" && message === undefined && !own.address) return undefined;
  const text = message === undefined ? fillTemplate(templateFor(sender, request, language), values) : `${name}: ${message}`;
  if (text === "") return undefined;
  const { subject, howToStop } = texts[language];
  return {
    subject: subject(name),
    text: channel === "sms" ? `${text} ${howToStop}` : text,
    attachments: channel === "email" && visit ? [calendarFile(visit, place, name, language)] : [],
  };
}

const isSameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

function templateFor({ tenant, office }: Sender, { purpose, visit }: MessageRequest, language: Language): string {
  const { canceled, builtIn } = texts[language];
  if (visit?.cancelled) return canceled;
  const name = editable[purpose];
  return name ? templateOf(tenant, office, name, language) : (builtIn[purpose] ?? "");
}

type Place = { name: string; address?: string | undefined };

const defaultVisitMs = 30 * 60_000;

/**
 * An iCalendar file in UTC. All states of an appointment have the same UID and an increasing sequence. It names the place, not the
 * patient or the reason. Source: RFC 5546, PUBLISH and CANCEL.
 */
function calendarFile(
  { calendarId, revision, start, end, cancelled: isCancelled }: Visit,
  place: Place,
  organizer: string,
  language: Language,
): Attachment {
  const method = isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH;
  const calendar = ical({ prodId: { company: "Vitaline", product: "Appointments", language: language.toUpperCase() }, method });
  calendar.createEvent({
    id: `${calendarId}@vitaline`,
    sequence: revision,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    start: new Date(start),
    end: new Date(end ?? Date.parse(start) + defaultVisitMs),
    stamp: new Date(revision * 60_000),
    summary: texts[language].calendarEntry(place.name),
    ...(place.address ? { location: place.address } : place.name === organizer ? {} : { location: place.name }),
    organizer: { name: organizer, email: bareAddress(mailFrom() ?? "") },
  });
  return { fileName: "appointment.ics", contentType: `text/calendar; method=${method}; charset=utf-8`, content: calendar.toString() };
}

/** The address in "Name <address>", or the text itself. */
const bareAddress = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();
