import fc from "fast-check";
import type { FhirResource } from "fhir/r4.js";

/** Arbitrary R4 resources as our tools read and write them, made of fields that all versions support. */
const text = fc.string({ minLength: 1, maxLength: 12 });
const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.-]{0,20}$/);
const day = fc
  .date({ min: new Date("1920-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const instant = day.map((date) => `${date}T10:00:00Z`);
const reference = (...types: string[]) => fc.tuple(fc.constantFrom(...types), id).map(([type, one]) => ({ reference: `${type}/${one}` }));
const concept = fc.oneof(
  text.map((one) => ({ text: one })),
  fc.record({
    coding: fc.tuple(
      fc.record({ system: fc.constantFrom("http://loinc.org", "http://terminology.hl7.org/CodeSystem/v2-0203"), code: text }),
    ),
  }),
);
const coded = (system: string, ...codes: string[]) =>
  fc.constantFrom(...codes).map((code) => ({ coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] }));
const several = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 });
const single = <T>(one: fc.Arbitrary<T>) => fc.tuple(one);
const name = fc.record(
  { use: fc.constantFrom("official", "nickname", "old"), family: text, given: several(text), prefix: several(text), text },
  { requiredKeys: ["family"] },
);
const telecom = fc.record(
  {
    system: fc.constantFrom("phone", "email", "fax"),
    value: text,
    use: fc.constantFrom("home", "work", "mobile"),
    rank: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ["system", "value"] },
);
const address = fc.record(
  { use: fc.constantFrom("home", "work"), line: several(text), city: text, state: text, postalCode: text, country: text },
  { requiredKeys: ["line"] },
);
const identifier = fc.record({ system: fc.webUrl(), value: text, type: concept }, { requiredKeys: ["system", "value"] });
const period = fc.record({ start: instant, end: instant });
const quantity = fc.record({ value: fc.integer({ min: 1, max: 500 }), unit: text });
const notes = single(fc.record({ text }));
const dosage = fc.record(
  {
    text,
    route: concept,
    asNeededBoolean: fc.boolean(),
    additionalInstruction: single(concept),
    timing: fc.record({
      repeat: fc.record({
        frequency: fc.integer({ min: 1, max: 4 }),
        period: fc.constant(1),
        periodUnit: fc.constantFrom("d", "h"),
        when: single(fc.constantFrom("AC", "HS")),
      }),
    }),
    doseAndRate: single(fc.record({ doseQuantity: quantity })),
  },
  { requiredKeys: ["text"] },
);

type Fields = Record<string, fc.Arbitrary<unknown>>;
const medicine: Fields = { medicationCodeableConcept: concept };

/** A type, its fields, and its required fields. */
const types: [FhirResource["resourceType"], Fields, string[]][] = [
  [
    "Patient",
    {
      identifier: several(identifier),
      active: fc.boolean(),
      name: several(name),
      telecom: several(telecom),
      gender: fc.constantFrom("male", "female", "other", "unknown"),
      birthDate: day,
      deceasedBoolean: fc.boolean(),
      address: several(address),
      contact: several(fc.record({ name, telecom: several(telecom) })),
      communication: several(fc.record({ language: concept, preferred: fc.boolean() })),
      generalPractitioner: several(reference("Practitioner")),
      link: several(fc.record({ other: reference("Patient"), type: fc.constantFrom("replaced-by", "seealso", "refer") })),
    },
    ["name"],
  ],
  [
    "RelatedPerson",
    {
      identifier: several(identifier),
      patient: reference("Patient"),
      relationship: single(concept),
      name: single(name),
      telecom: several(telecom),
      birthDate: day,
      period,
    },
    ["patient"],
  ],
  [
    "Flag",
    {
      status: fc.constantFrom("active", "inactive", "entered-in-error"),
      category: single(concept),
      code: concept,
      subject: reference("Patient"),
      period,
    },
    ["status", "code", "subject"],
  ],
  [
    "Practitioner",
    {
      identifier: several(identifier),
      active: fc.boolean(),
      name: single(name),
      telecom: several(telecom),
      qualification: several(fc.record({ code: concept })),
    },
    ["name"],
  ],
  [
    "Organization",
    { active: fc.boolean(), name: text, type: single(concept), telecom: several(telecom), address: several(address) },
    ["name"],
  ],
  [
    "Location",
    {
      status: fc.constantFrom("active", "inactive"),
      name: text,
      telecom: several(telecom),
      address,
      type: single(concept),
      managingOrganization: reference("Organization"),
    },
    ["name"],
  ],
  ["Schedule", { actor: single(reference("Practitioner", "Location")), serviceType: several(concept), planningHorizon: period }, ["actor"]],
  [
    "Slot",
    {
      schedule: reference("Schedule"),
      status: fc.constantFrom("free", "busy", "busy-unavailable", "busy-tentative"),
      start: instant,
      end: instant,
      serviceType: single(concept),
      comment: text,
    },
    ["schedule", "status", "start", "end"],
  ],
  [
    "Appointment",
    {
      identifier: several(identifier),
      status: fc.constantFrom("proposed", "pending", "booked", "arrived", "fulfilled", "cancelled", "noshow"),
      serviceType: single(concept),
      reasonCode: single(concept),
      cancelationReason: concept,
      patientInstruction: text,
      priority: fc.integer({ min: 0, max: 9 }),
      description: text,
      start: instant,
      end: instant,
      minutesDuration: fc.integer({ min: 5, max: 90 }),
      slot: single(reference("Slot")),
      comment: text,
      participant: several(
        fc.record({
          actor: reference("Patient", "Practitioner", "Location"),
          required: fc.constantFrom("required", "optional"),
          status: fc.constantFrom("accepted", "declined", "tentative", "needs-action"),
        }),
      ),
    },
    ["status", "participant"],
  ],
  [
    "Condition",
    {
      clinicalStatus: coded("condition-clinical", "active", "remission", "resolved"),
      verificationStatus: coded("condition-ver-status", "confirmed", "provisional", "refuted", "entered-in-error"),
      category: single(coded("condition-category", "problem-list-item", "encounter-diagnosis")),
      severity: concept,
      code: concept,
      subject: reference("Patient"),
      encounter: reference("Encounter"),
      onsetDateTime: day,
      recordedDate: day,
      note: notes,
    },
    ["code", "subject", "verificationStatus"],
  ],
  [
    "AllergyIntolerance",
    {
      type: fc.constantFrom("allergy", "intolerance"),
      category: single(fc.constantFrom("food", "medication", "environment")),
      criticality: fc.constantFrom("low", "high", "unable-to-assess"),
      code: concept,
      patient: reference("Patient"),
      onsetDateTime: day,
      recordedDate: day,
      asserter: reference("Practitioner"),
      note: notes,
      reaction: several(
        fc.record({ manifestation: several(concept), severity: fc.constantFrom("mild", "moderate", "severe"), description: text }),
      ),
      clinicalStatus: coded("allergyintolerance-clinical", "active"),
      verificationStatus: coded("allergyintolerance-verification", "confirmed", "unconfirmed"),
    },
    ["code", "patient", "clinicalStatus", "verificationStatus"],
  ],
  [
    "Observation",
    {
      status: fc.constantFrom("final", "preliminary", "amended", "entered-in-error"),
      category: single(coded("observation-category", "vital-signs", "laboratory")),
      code: concept,
      subject: reference("Patient"),
      encounter: reference("Encounter"),
      effectiveDateTime: instant,
      performer: several(reference("Practitioner")),
      valueQuantity: quantity,
      interpretation: single(concept),
      note: notes,
      referenceRange: several(fc.record({ low: quantity, high: quantity, text })),
      component: several(fc.record({ code: concept, valueQuantity: quantity })),
    },
    ["status", "code"],
  ],
  [
    "MedicationRequest",
    {
      ...medicine,
      identifier: several(identifier),
      status: fc.constantFrom("active", "on-hold", "completed", "stopped", "draft", "entered-in-error"),
      intent: fc.constant("order"),
      subject: reference("Patient"),
      encounter: reference("Encounter"),
      authoredOn: instant,
      requester: reference("Practitioner"),
      reasonCode: single(concept),
      note: notes,
      dosageInstruction: several(dosage),
      dispenseRequest: fc.record({
        validityPeriod: period,
        numberOfRepeatsAllowed: fc.integer({ min: 0, max: 9 }),
        quantity,
        expectedSupplyDuration: quantity,
      }),
      priorPrescription: reference("MedicationRequest"),
    },
    ["status", "intent", "subject"],
  ],
  [
    "MedicationStatement",
    {
      ...medicine,
      status: fc.constantFrom("active", "completed", "intended", "entered-in-error", "not-taken"),
      subject: reference("Patient"),
      effectivePeriod: period,
      dateAsserted: instant,
      informationSource: reference("Patient", "Practitioner"),
      reasonCode: single(concept),
      note: notes,
      dosage: several(dosage.map(({ additionalInstruction: _noPlace, ...same }) => same)),
    },
    ["status", "subject"],
  ],
  [
    "MedicationDispense",
    {
      ...medicine,
      identifier: single(identifier),
      status: fc.constantFrom("in-progress", "on-hold", "completed", "stopped", "entered-in-error"),
      subject: reference("Patient"),
      performer: single(fc.record({ actor: reference("Organization") })),
      authorizingPrescription: several(reference("MedicationRequest")),
      quantity,
      daysSupply: quantity,
      whenHandedOver: instant,
      dosageInstruction: several(dosage),
    },
    ["status", "subject"],
  ],
  [
    "Medication",
    {
      code: concept,
      form: concept,
      ingredient: several(
        fc.record({ itemReference: reference("Medication"), strength: fc.record({ numerator: quantity, denominator: quantity }) }),
      ),
    },
    ["code"],
  ],
  [
    "Communication",
    {
      identifier: several(identifier),
      status: fc.constantFrom("completed", "in-progress", "on-hold", "stopped", "not-done"),
      category: single(concept),
      priority: fc.constantFrom("routine", "urgent"),
      topic: concept,
      subject: reference("Patient"),
      encounter: reference("Encounter"),
      sent: instant,
      received: instant,
      recipient: several(reference("Practitioner", "Group", "Patient")),
      sender: reference("Patient", "Practitioner"),
      reasonCode: several(concept),
      payload: several(fc.record({ contentString: text })),
    },
    ["status"],
  ],
  [
    "Coverage",
    {
      identifier: several(identifier),
      status: fc.constant("active"),
      type: fc.record({
        coding: fc.tuple(fc.record({ system: fc.constant("http://terminology.hl7.org/CodeSystem/v3-ActCode"), code: text })),
      }),
      subscriberId: text,
      beneficiary: fc.constant({ reference: "Patient/7" }),
      subscriber: fc.constant({ reference: "Patient/7" }),
      dependent: fc.integer({ min: 1, max: 9 }).map(String),
      relationship: concept,
      period,
      payor: single(reference("Organization")),
      class: fc.subarray(["group", "plan", "subplan"], { minLength: 1 }).map((codes) =>
        codes.map((code) => ({
          type: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/coverage-class", code }] },
          value: `${code}-1`,
        })),
      ),
      order: fc.integer({ min: 1, max: 3 }),
      network: text,
    },
    ["status", "beneficiary", "subscriber", "payor"],
  ],
  [
    "CoverageEligibilityRequest",
    {
      identifier: several(identifier),
      status: fc.constant("active"),
      purpose: fc.constant(["benefits"]),
      patient: reference("Patient"),
      servicedDate: day,
      created: day,
      provider: reference("Practitioner"),
      insurer: reference("Organization"),
      insurance: single(fc.record({ coverage: reference("Coverage") })),
    },
    ["status", "purpose", "patient", "created", "insurer", "insurance"],
  ],
];

export const resourceTypes = types.map(([type]) => type);

/** An arbitrary resource of a type. */
export function anyResource(type: FhirResource["resourceType"]): fc.Arbitrary<FhirResource> {
  const [, fields = {}, required = []] = types.find(([one]) => one === type) ?? [];
  const meta = fc.record({ versionId: id, lastUpdated: instant });
  return fc
    .record<Record<string, unknown>, string>({ id, meta, ...fields }, { requiredKeys: ["id", ...required] })
    .map((resource) => ({ ...resource, resourceType: type }) as FhirResource);
}
