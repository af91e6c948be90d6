import { Refusal } from "../http/http.ts";
import { isResourceType, parseReference, type Resource, type ResourceType } from "../store/resource.ts";
import type { View } from "../store/store.ts";

const datePattern = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const dateTimePattern = new RegExp(`${datePattern.source}|${instantPattern.source}`);

interface Rules {
  elements: readonly string[];
  required: readonly string[];
  codes?: Record<string, readonly string[]>;
  patterns?: Record<string, RegExp>;
}

const words = (text: string) => text.split(" ");
const baseElements = words("resourceType id meta implicitRules language text contained extension modifierExtension");
const eventStatuses = words("preparation in-progress not-done on-hold stopped completed entered-in-error unknown");
const requestStatuses = words("draft active on-hold revoked completed entered-in-error unknown");

/** R4's rules for the types that can be written, https://hl7.org/fhir/R4/patient.html etc. */
const rulesOf: Partial<Record<ResourceType, Rules>> = {
  Patient: {
    elements: words(
      "identifier active name telecom gender birthDate deceasedBoolean deceasedDateTime address maritalStatus multipleBirthBoolean multipleBirthInteger photo contact communication generalPractitioner managingOrganization link",
    ),
    required: ["name"],
    codes: { gender: words("male female other unknown") },
    patterns: { birthDate: datePattern, deceasedDateTime: dateTimePattern },
  },
  Appointment: {
    elements: words(
      "identifier status cancelationReason serviceCategory serviceType specialty appointmentType reasonCode reasonReference priority description supportingInformation start end minutesDuration slot created comment patientInstruction basedOn participant requestedPeriod",
    ),
    required: ["status", "participant"],
    codes: { status: words("proposed pending booked arrived fulfilled cancelled noshow entered-in-error checked-in waitlist") },
    patterns: { start: instantPattern, end: instantPattern, created: dateTimePattern },
  },
  Slot: {
    elements: words("identifier serviceCategory serviceType specialty appointmentType schedule status start end overbooked comment"),
    required: ["schedule", "status", "start", "end"],
    codes: { status: words("busy free busy-unavailable busy-tentative entered-in-error") },
    patterns: { start: instantPattern, end: instantPattern },
  },
  Communication: {
    elements: words(
      "identifier instantiatesCanonical instantiatesUri basedOn partOf inResponseTo status statusReason category priority medium subject topic about encounter sent received recipient sender reasonCode reasonReference payload note",
    ),
    required: ["status"],
    codes: { status: eventStatuses, priority: words("routine urgent asap stat") },
    patterns: { sent: dateTimePattern, received: dateTimePattern },
  },
  CommunicationRequest: {
    elements: words(
      "identifier basedOn replaces groupIdentifier status statusReason category priority doNotPerform medium subject about encounter payload occurrenceDateTime occurrencePeriod authoredOn requester recipient sender reasonCode reasonReference note",
    ),
    required: ["status"],
    codes: { status: requestStatuses, priority: words("routine urgent asap stat") },
    patterns: { authoredOn: dateTimePattern, occurrenceDateTime: dateTimePattern },
  },
  CoverageEligibilityRequest: {
    elements: words(
      "identifier status priority purpose patient servicedDate servicedPeriod created enterer provider insurer facility supportingInfo insurance item",
    ),
    required: ["status", "purpose", "patient", "created", "insurer"],
    codes: { status: words("active cancelled draft entered-in-error"), purpose: words("auth-requirements benefits discovery validation") },
    patterns: { created: dateTimePattern, servicedDate: datePattern },
  },
};

type Elements = Record<string, unknown>;

/** Throws a Refusal: 400 for another type, 422 for content that R4 or this server does not allow. */
export function validResource(type: ResourceType, body: unknown): Resource {
  if (!isResource(body, type)) throw new Refusal(400, "structure", `The body is not a ${type}`);
  if (isEmptyValue(body)) throw new Refusal(400, "structure", "Nothing in a resource may be empty or null: leave the element out");
  const rules = rulesOf[type];
  if (!rules) throw new Refusal(405, "not-supported", `${type} is read only here`, { Allow: "GET" });
  const elements = body as unknown as Elements;
  for (const name of Object.keys(elements)) {
    if (![...baseElements, ...rules.elements].includes(name.replace(/^_/, "")))
      throw new Refusal(400, "structure", `${type} has no element "${name}"`);
  }
  const missing = rules.required.find((name) => elements[name] === undefined);
  if (missing) throw new Refusal(422, "required", `${type}.${missing} is missing`);
  for (const [name, codes] of Object.entries(rules.codes ?? {})) {
    const wrong = [elements[name]].flat().some((code) => code !== undefined && !codes.includes(code as string));
    if (wrong) throw new Refusal(422, "code-invalid", `${type}.${name} has a code that R4 does not know`);
  }
  for (const [name, pattern] of Object.entries(rules.patterns ?? {})) {
    const value = elements[name];
    if (value !== undefined && !(typeof value === "string" && pattern.test(value)))
      throw new Refusal(422, "value", `${type}.${name} does not have the format that R4 requires`);
  }
  checkParts(body);
  return body;
}

const isResource = (body: unknown, type: ResourceType): body is Resource =>
  typeof body === "object" && body !== null && (body as Elements).resourceType === type;

function checkParts(resource: Resource): void {
  const require = (condition: boolean, text: string) => {
    if (!condition) throw new Refusal(422, "required", text);
  };
  if (resource.resourceType === "Patient") {
    require(Array.isArray(resource.name) && resource.name.some(({ family }) => family), "A patient needs a family name");
  }
  if (resource.resourceType === "Appointment") {
    const whole = Array.isArray(resource.participant) && resource.participant.every(({ actor, status }) => status && actor?.reference);
    require(whole, "Every participant of an appointment needs an actor and a status");
  }
  if (resource.resourceType === "Communication" || resource.resourceType === "CommunicationRequest") {
    const contents = (resource.payload ?? []).map((one) => Object.keys(one).filter((name) => name.startsWith("content")).length);
    require(contents.length > 0 && contents.every((count) => count === 1), "A message needs a payload, each part with one content");
  }
}

/** https://hl7.org/fhir/R4/json.html: no empty array, object or text, and null only to pad a list. */
function isEmptyValue(value: unknown): boolean {
  if (value === "") return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length === 0 || value.some(isEmptyValue);
  const parts = Object.values(value) as unknown[];
  return parts.length === 0 || parts.some((part) => part === null || isEmptyValue(part));
}

/** Throws a Refusal 422 for a local reference without a target. */
export function checkReferences(view: View, resource: Resource): void {
  for (const reference of referencesIn(resource)) {
    const target = /^[A-Z]/.test(reference) ? parseReference(reference) : undefined;
    if (target && isResourceType(target.type) && !view.get(target.type, target.id))
      throw new Refusal(422, "not-found", `A ${target.type} that ${resource.resourceType} refers to does not exist`);
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (name === "reference" && typeof part === "string" ? [part] : referencesIn(part)));
}
