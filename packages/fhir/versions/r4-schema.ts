import type { FhirResource } from "fhir/r4.js";
import { ehrError } from "../http/errors.ts";

/** The JSON structure of a value, as far as it is validated. Any field may be absent. */
type Schema = "string" | "number" | "boolean" | readonly [Schema] | { readonly [field: string]: Schema };

const coding = { system: "string", code: "string", display: "string" } as const;
const concept = { coding: [coding], text: "string" } as const;
const reference = { reference: "string", display: "string", type: "string" } as const;
const period = { start: "string", end: "string" } as const;
const quantity = { value: "number", unit: "string", code: "string", comparator: "string" } as const;
const identifier = { system: "string", value: "string", type: concept, period } as const;
const name = {
  use: "string",
  text: "string",
  family: "string",
  given: ["string"],
  prefix: ["string"],
  suffix: ["string"],
  period,
} as const;
const telecom = { system: "string", value: "string", use: "string", rank: "number", period } as const;
const address = {
  use: "string",
  text: "string",
  line: ["string"],
  city: "string",
  state: "string",
  postalCode: "string",
  country: "string",
  period,
} as const;
const note = { text: "string", time: "string" } as const;
const dosage = {
  sequence: "number",
  text: "string",
  patientInstruction: "string",
  timing: { code: concept },
  route: concept,
  doseAndRate: [{ doseQuantity: quantity }],
} as const;
const medicationUse = {
  medicationCodeableConcept: concept,
  medicationReference: reference,
  status: "string",
  subject: reference,
  note: [note],
} as const;
const person = {
  identifier: [identifier],
  active: "boolean",
  name: [name],
  telecom: [telecom],
  address: [address],
  gender: "string",
  birthDate: "string",
} as const;
const scheduling = {
  serviceType: [concept],
  serviceCategory: [concept],
  specialty: [concept],
  start: "string",
  end: "string",
  comment: "string",
} as const;
const communication = {
  status: "string",
  category: [concept],
  subject: reference,
  sender: reference,
  recipient: [reference],
  payload: [{ contentString: "string" }],
  identifier: [identifier],
} as const;
const measurement = {
  valueQuantity: quantity,
  valueString: "string",
  valueCodeableConcept: concept,
  code: concept,
  interpretation: [concept],
} as const;
const coverageClass = { type: concept, value: "string", name: "string" } as const;

/** The fields that our tools read; the rest of a resource is not validated. https://hl7.org/fhir/R4/resourcelist.html */
const schemas: ReadonlyMap<string, Schema> = new Map(
  Object.entries<Schema>({
    Patient: {
      ...person,
      deceasedBoolean: "boolean",
      deceasedDateTime: "string",
      link: [{ other: reference, type: "string" }],
      communication: [{ language: concept, preferred: "boolean" }],
      contact: [{ relationship: [concept], name, telecom: [telecom], period }],
      generalPractitioner: [reference],
    },
    RelatedPerson: { ...person, patient: reference, relationship: [concept], period },
    Flag: { status: "string", category: [concept], code: concept, subject: reference, period },
    Practitioner: { ...person, qualification: [{ code: concept }] },
    PractitionerRole: {
      active: "boolean",
      practitioner: reference,
      organization: reference,
      code: [concept],
      specialty: [concept],
      location: [reference],
      telecom: [telecom],
    },
    Organization: { name: "string", type: [concept], telecom: [telecom], address: [address], identifier: [identifier] },
    Location: { status: "string", name: "string", address, telecom: [telecom], type: [concept], managingOrganization: reference },
    Schedule: { ...scheduling, active: "boolean", actor: [reference], planningHorizon: period },
    Slot: { ...scheduling, schedule: reference, status: "string" },
    Appointment: {
      ...scheduling,
      status: "string",
      identifier: [identifier],
      description: "string",
      reasonCode: [concept],
      slot: [reference],
      participant: [{ actor: reference, status: "string", type: [concept], required: "string" }],
      minutesDuration: "number",
    },
    Condition: {
      clinicalStatus: concept,
      verificationStatus: concept,
      category: [concept],
      code: concept,
      subject: reference,
      onsetDateTime: "string",
      recordedDate: "string",
      note: [note],
    },
    AllergyIntolerance: {
      clinicalStatus: concept,
      verificationStatus: concept,
      code: concept,
      criticality: "string",
      type: "string",
      category: ["string"],
      patient: reference,
      reaction: [{ manifestation: [concept], severity: "string", description: "string", substance: concept }],
      note: [note],
    },
    Observation: {
      ...measurement,
      status: "string",
      category: [concept],
      subject: reference,
      effectiveDateTime: "string",
      effectivePeriod: period,
      issued: "string",
      component: [measurement],
      referenceRange: [{ low: quantity, high: quantity, text: "string" }],
    },
    Medication: { code: concept, form: concept },
    MedicationRequest: {
      ...medicationUse,
      intent: "string",
      authoredOn: "string",
      requester: reference,
      dosageInstruction: [dosage],
      dispenseRequest: { numberOfRepeatsAllowed: "number", quantity, validityPeriod: period, expectedSupplyDuration: quantity },
    },
    MedicationStatement: {
      ...medicationUse,
      effectiveDateTime: "string",
      effectivePeriod: period,
      dateAsserted: "string",
      dosage: [dosage],
    },
    MedicationDispense: {
      ...medicationUse,
      whenHandedOver: "string",
      quantity,
      daysSupply: quantity,
      authorizingPrescription: [reference],
      dosageInstruction: [dosage],
    },
    Coverage: {
      status: "string",
      type: concept,
      subscriberId: "string",
      beneficiary: reference,
      subscriber: reference,
      payor: [reference],
      period,
      class: [coverageClass],
      identifier: [identifier],
      order: "number",
    },
    CoverageEligibilityResponse: {
      status: "string",
      outcome: "string",
      disposition: "string",
      request: reference,
      insurer: reference,
      insurance: [{ coverage: reference, inforce: "boolean", benefitPeriod: period }],
    },
    Communication: { ...communication, sent: "string" },
  } satisfies Partial<Record<FhirResource["resourceType"], Schema>>),
);

function matches(value: unknown, schema: Schema): boolean {
  if (value === undefined) return true;
  if (schema === "string") return typeof value === "string";
  if (schema === "number") return typeof value === "number";
  if (schema === "boolean") return typeof value === "boolean";
  if (isList(schema)) return Array.isArray(value) && value.every((one) => one !== undefined && matches(one, schema[0]));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(schema).every(([field, one]) => matches(fields[field], one));
}

/**
 * A list of primitives may contain null beside an extension in the "_" field (https://hl7.org/fhir/R4/json.html#null). Removes such nulls
 * together with the "_" field, which is aligned by index.
 */
function withoutNulls(value: unknown, schema: Schema): unknown {
  if (typeof schema === "string") return value;
  if (isList(schema)) return Array.isArray(value) ? value.map((one) => withoutNulls(one, schema[0])) : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields: Record<string, unknown> = { ...value };
  for (const [field, one] of Object.entries(schema)) {
    const given = fields[field];
    if (
      isList(one) &&
      one[0] === "string" &&
      Array.isArray(given) &&
      given.includes(null) &&
      (fields[`_${field}`] || given.some(isString))
    ) {
      const { [field]: _values, [`_${field}`]: _extensions, ...others } = fields;
      return withoutNulls({ ...others, [field]: given.filter((text) => text !== null) }, schema);
    }
    if (given !== undefined) fields[field] = withoutNulls(given, one);
  }
  return fields;
}

const isString = (one: unknown): boolean => typeof one === "string";

const isList = (schema: Schema): schema is readonly [Schema] => Array.isArray(schema);

/** What R4 requires, our tools read, and some servers leave out. */
const requiredFields: Readonly<Record<string, () => object>> = {
  Appointment: () => ({ participant: [] }),
  Schedule: () => ({ actor: [] }),
  Slot: () => ({ schedule: {} }),
  Coverage: () => ({ payor: [] }),
};

const withRequiredFields = (resource: FhirResource): FhirResource => {
  const empty = requiredFields[resource.resourceType]?.() ?? {};
  return Object.keys(empty).every((field) => field in resource) ? resource : { ...empty, ...resource };
};

/**
 * Returns the resource, without nulls in lists, and with an empty list where a required one is absent. AppError `ehr_invalid` when a field
 * that we read has another structure than in R4.
 */
export function validateR4(given: FhirResource): FhirResource {
  const resource = withRequiredFields(given);
  const schema = schemas.get(resource.resourceType) ?? {};
  const { contained } = resource as { contained?: unknown };
  const inner = contained === undefined || (Array.isArray(contained) && contained.every((one) => isValidContained(one)));
  if (inner && matches(resource, schema)) return resource;
  const cleaned = withoutNulls(resource, schema);
  if (!inner || !matches(cleaned, schema)) throw ehrError("ehr_invalid");
  return cleaned as FhirResource;
}

const isValidContained = (one: unknown): boolean =>
  typeof one === "object" && one !== null && "resourceType" in one && matches(one, schemas.get(String(one.resourceType)) ?? {});
