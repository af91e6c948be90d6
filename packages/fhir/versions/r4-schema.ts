import type { FhirResource } from "fhir/r4.js";
import { ehrError } from "../http/errors.ts";

/** What a value is built like, as far as it is looked at: a text, a number, a list of something, or fields that may be missing. */
type Shape = "text" | "number" | "flag" | readonly [Shape] | { readonly [field: string]: Shape };

const coding = { system: "text", code: "text", display: "text" } as const;
const concept = { coding: [coding], text: "text" } as const;
const reference = { reference: "text", display: "text", type: "text" } as const;
const period = { start: "text", end: "text" } as const;
const quantity = { value: "number", unit: "text", code: "text", comparator: "text" } as const;
const identifier = { system: "text", value: "text", type: concept, period } as const;
const name = { use: "text", text: "text", family: "text", given: ["text"], prefix: ["text"], suffix: ["text"], period } as const;
const telecom = { system: "text", value: "text", use: "text", rank: "number", period } as const;
const address = {
  use: "text",
  text: "text",
  line: ["text"],
  city: "text",
  state: "text",
  postalCode: "text",
  country: "text",
  period,
} as const;
const note = { text: "text", time: "text" } as const;
const dosage = {
  text: "text",
  patientInstruction: "text",
  timing: { code: concept },
  route: concept,
  doseAndRate: [{ doseQuantity: quantity }],
} as const;
const medicine = {
  medicationCodeableConcept: concept,
  medicationReference: reference,
  status: "text",
  subject: reference,
  note: [note],
} as const;
const person = {
  identifier: [identifier],
  active: "flag",
  name: [name],
  telecom: [telecom],
  address: [address],
  gender: "text",
  birthDate: "text",
} as const;
const schedulable = {
  serviceType: [concept],
  serviceCategory: [concept],
  specialty: [concept],
  start: "text",
  end: "text",
  comment: "text",
} as const;
const message = {
  status: "text",
  category: [concept],
  subject: reference,
  sender: reference,
  recipient: [reference],
  payload: [{ contentString: "text" }],
  identifier: [identifier],
} as const;
const measured = {
  valueQuantity: quantity,
  valueString: "text",
  valueCodeableConcept: concept,
  code: concept,
  interpretation: [concept],
} as const;
const classOf = { type: concept, value: "text", name: "text" } as const;

/** What our tools read of a record; all else in it is the server's own affair. https://hl7.org/fhir/R4/resourcelist.html */
const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries<Shape>({
    Patient: {
      ...person,
      deceasedBoolean: "flag",
      deceasedDateTime: "text",
      link: [{ other: reference, type: "text" }],
      communication: [{ language: concept, preferred: "flag" }],
      contact: [{ relationship: [concept], name, telecom: [telecom] }],
      generalPractitioner: [reference],
    },
    Practitioner: { ...person, qualification: [{ code: concept }] },
    PractitionerRole: {
      active: "flag",
      practitioner: reference,
      organization: reference,
      code: [concept],
      specialty: [concept],
      location: [reference],
      telecom: [telecom],
    },
    Organization: { name: "text", type: [concept], telecom: [telecom], address: [address], identifier: [identifier] },
    Location: { status: "text", name: "text", address, telecom: [telecom], type: [concept], managingOrganization: reference },
    Schedule: { ...schedulable, active: "flag", actor: [reference], planningHorizon: period },
    Slot: { ...schedulable, schedule: reference, status: "text" },
    Appointment: {
      ...schedulable,
      status: "text",
      identifier: [identifier],
      description: "text",
      reasonCode: [concept],
      slot: [reference],
      participant: [{ actor: reference, status: "text", type: [concept], required: "text" }],
      minutesDuration: "number",
    },
    Condition: {
      clinicalStatus: concept,
      verificationStatus: concept,
      category: [concept],
      code: concept,
      subject: reference,
      onsetDateTime: "text",
      recordedDate: "text",
      note: [note],
    },
    AllergyIntolerance: {
      clinicalStatus: concept,
      verificationStatus: concept,
      code: concept,
      criticality: "text",
      type: "text",
      category: ["text"],
      patient: reference,
      reaction: [{ manifestation: [concept], severity: "text", description: "text", substance: concept }],
      note: [note],
    },
    Observation: {
      ...measured,
      status: "text",
      category: [concept],
      subject: reference,
      effectiveDateTime: "text",
      effectivePeriod: period,
      issued: "text",
      component: [measured],
      referenceRange: [{ low: quantity, high: quantity, text: "text" }],
    },
    Medication: { code: concept, form: concept },
    MedicationRequest: {
      ...medicine,
      intent: "text",
      authoredOn: "text",
      requester: reference,
      dosageInstruction: [dosage],
      dispenseRequest: { numberOfRepeatsAllowed: "number", quantity, validityPeriod: period, expectedSupplyDuration: quantity },
    },
    MedicationStatement: { ...medicine, effectiveDateTime: "text", effectivePeriod: period, dateAsserted: "text", dosage: [dosage] },
    MedicationDispense: {
      ...medicine,
      whenHandedOver: "text",
      quantity,
      daysSupply: quantity,
      authorizingPrescription: [reference],
      dosageInstruction: [dosage],
    },
    Coverage: {
      status: "text",
      type: concept,
      subscriberId: "text",
      beneficiary: reference,
      subscriber: reference,
      payor: [reference],
      period,
      class: [classOf],
      identifier: [identifier],
      order: "number",
    },
    CoverageEligibilityResponse: {
      status: "text",
      outcome: "text",
      disposition: "text",
      request: reference,
      insurer: reference,
      insurance: [{ coverage: reference, inforce: "flag", benefitPeriod: period }],
    },
    Communication: { ...message, sent: "text" },
  } satisfies Partial<Record<FhirResource["resourceType"], Shape>>),
);

function fits(value: unknown, shape: Shape): boolean {
  if (value === undefined) return true;
  if (shape === "text") return typeof value === "string";
  if (shape === "number") return typeof value === "number";
  if (shape === "flag") return typeof value === "boolean";
  if (isList(shape)) return Array.isArray(value) && value.every((one) => one !== undefined && fits(one, shape[0]));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const held = value as Record<string, unknown>;
  return Object.entries(shape).every(([field, one]) => fits(held[field], one));
}

/**
 * In JSON a primitive of a list may be null beside what is said of it in the "_" field (https://hl7.org/fhir/R4/json.html#null): those
 * without a text go, and what is said of each by its place in the list goes with them.
 */
function withoutNulls(value: unknown, shape: Shape): unknown {
  if (typeof shape === "string") return value;
  if (isList(shape)) return Array.isArray(value) ? value.map((one) => withoutNulls(one, shape[0])) : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const held: Record<string, unknown> = { ...value };
  for (const [field, one] of Object.entries(shape)) {
    const given = held[field];
    if (isList(one) && one[0] === "text" && Array.isArray(given) && given.includes(null) && (held[`_${field}`] || given.some(isText))) {
      const { [field]: _texts, [`_${field}`]: _said, ...others } = held;
      return withoutNulls({ ...others, [field]: given.filter((text) => text !== null) }, shape);
    }
    if (given !== undefined) held[field] = withoutNulls(given, one);
  }
  return held;
}
const isText = (one: unknown): boolean => typeof one === "string";

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** The record, if what our tools read of it is built as FHIR R4 says. AppError `ehr_invalid` otherwise, before a tool stumbles over it. */
export function validateR4(resource: FhirResource): FhirResource {
  const shape = shapes.get(resource.resourceType) ?? {};
  const { contained } = resource as { contained?: unknown };
  const inner = contained === undefined || (Array.isArray(contained) && contained.every((one) => fitsAny(one)));
  if (inner && fits(resource, shape)) return resource;
  const whole = withoutNulls(resource, shape);
  if (!inner || !fits(whole, shape)) throw ehrError("ehr_invalid");
  // The cast states that nothing but nulls has gone.
  return whole as FhirResource;
}

const fitsAny = (one: unknown): boolean =>
  typeof one === "object" && one !== null && "resourceType" in one && fits(one, shapes.get(String(one.resourceType)) ?? {});
