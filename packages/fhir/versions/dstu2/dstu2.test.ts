import { describe, expect, it } from "vitest";
import type { Resource } from "../../http/payload-schemas.ts";
import { dstu2 } from "./dstu2.ts";

/** Resources like the DSTU2 specification's examples, and their R4 conversions. */
const examples: [native: Resource, r4: object][] = [
  [
    {
      resourceType: "Patient",
      id: "p1",
      name: [{ use: "official", family: ["van", "Alderwick"], given: ["Ann"] }],
      careProvider: [{ reference: "Practitioner/d1" }],
      contact: [{ name: { family: ["Alderwick"], given: ["Bo"] }, relationship: [{ text: "Mother" }] }],
      link: [{ other: { reference: "Patient/p2" }, type: "replace" }],
    },
    {
      name: [{ use: "official", family: "van Alderwick", given: ["Ann"] }],
      generalPractitioner: [{ reference: "Practitioner/d1" }],
      contact: [{ name: { family: "Alderwick", given: ["Bo"] } }],
      link: [{ other: { reference: "Patient/p2" }, type: "replaced-by" }],
    },
  ],
  [
    {
      resourceType: "Slot",
      id: "s1",
      freeBusyType: "free",
      type: { text: "Visit" },
      schedule: { reference: "Schedule/1" },
      start: "2026-01-05T09:00:00Z",
      end: "2026-01-05T09:30:00Z",
    },
    { status: "free", serviceType: [{ text: "Visit" }], schedule: { reference: "Schedule/1" }, start: "2026-01-05T09:00:00Z" },
  ],
  [
    {
      resourceType: "Appointment",
      id: "a1",
      status: "booked",
      type: { text: "Visit" },
      reason: { text: "Cough" },
      participant: [{ actor: { reference: "Patient/p1" }, required: "required", status: "accepted" }],
    },
    { status: "booked", serviceType: [{ text: "Visit" }], reasonCode: [{ text: "Cough" }], participant: [{ status: "accepted" }] },
  ],
  [
    {
      resourceType: "Condition",
      id: "c1",
      patient: { reference: "Patient/p1" },
      code: { text: "Asthma" },
      category: { coding: [{ system: "http://hl7.org/fhir/condition-category", code: "diagnosis" }] },
      clinicalStatus: "active",
      verificationStatus: "confirmed",
      dateRecorded: "2020-01-02",
      notes: "Mild",
    },
    {
      subject: { reference: "Patient/p1" },
      clinicalStatus: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/condition-clinical", code: "active" }] },
      verificationStatus: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/condition-ver-status", code: "confirmed" }] },
      category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/condition-category", code: "diagnosis" }] }],
      recordedDate: "2020-01-02",
      note: [{ text: "Mild" }],
    },
  ],
  [
    {
      resourceType: "AllergyIntolerance",
      id: "i1",
      patient: { reference: "Patient/p1" },
      substance: { text: "Penicillin" },
      status: "confirmed",
      criticality: "CRITH",
      type: "allergy",
      category: "medication",
    },
    {
      code: { text: "Penicillin" },
      clinicalStatus: { coding: [{ code: "active" }] },
      verificationStatus: { coding: [{ code: "confirmed" }] },
      criticality: "high",
      category: ["medication"],
    },
  ],
  [
    { resourceType: "AllergyIntolerance", id: "i2", patient: {}, substance: {}, status: "entered-in-error" },
    { verificationStatus: { coding: [{ code: "entered-in-error" }] } },
  ],
  [
    {
      resourceType: "MedicationOrder",
      id: "m1",
      status: "active",
      dateWritten: "2026-01-02",
      patient: { reference: "Patient/p1" },
      prescriber: { reference: "Practitioner/d1" },
      note: "With food",
      medicationCodeableConcept: { text: "Metformin 500 mg" },
      dosageInstruction: [
        { text: "Twice a day", timing: { repeat: { frequency: 2, period: 1, periodUnits: "d" } }, doseQuantity: { value: 1 } },
      ],
      priorPrescription: { reference: "MedicationOrder/m0" },
    },
    {
      resourceType: "MedicationRequest",
      intent: "order",
      authoredOn: "2026-01-02",
      subject: { reference: "Patient/p1" },
      requester: { reference: "Practitioner/d1" },
      note: [{ text: "With food" }],
      dosageInstruction: [
        {
          text: "Twice a day",
          timing: { repeat: { frequency: 2, period: 1, periodUnit: "d" } },
          doseAndRate: [{ doseQuantity: { value: 1 } }],
        },
      ],
      priorPrescription: { reference: "MedicationRequest/m0" },
    },
  ],
  [
    {
      resourceType: "MedicationStatement",
      id: "t1",
      patient: { reference: "Patient/p1" },
      status: "completed",
      wasNotTaken: true,
      dosage: [{ text: "Daily", quantityQuantity: { value: 2 } }],
    },
    {
      status: "not-taken",
      subject: { reference: "Patient/p1" },
      dosage: [{ text: "Daily", doseAndRate: [{ doseQuantity: { value: 2 } }] }],
    },
  ],
  [
    {
      resourceType: "Medication",
      id: "md1",
      code: { text: "Aspirin" },
      product: { form: { text: "Tablet" }, ingredient: [{ item: { reference: "Substance/1" } }] },
    },
    { code: { text: "Aspirin" }, form: { text: "Tablet" }, ingredient: [{ itemReference: { reference: "Substance/1" } }] },
  ],
  [
    {
      resourceType: "Coverage",
      id: "v1",
      issuer: { reference: "Organization/o1" },
      subscriberId: { value: "MEM1" },
      subscriber: { reference: "Patient/p1" },
      group: "G1",
      plan: "Gold",
      type: { system: "http://hl7.org/fhir/v3/ActCode", code: "EHCPOL" },
    },
    {
      status: "active",
      payor: [{ reference: "Organization/o1" }],
      subscriberId: "MEM1",
      beneficiary: { reference: "Patient/p1" },
      type: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "EHCPOL" }] },
      class: [{ value: "G1" }, { value: "Gold" }],
    },
  ],
  [
    {
      resourceType: "Observation",
      id: "o1",
      status: "final",
      code: { text: "HbA1c" },
      category: { coding: [{ code: "laboratory" }] },
      comments: "Fasting",
      interpretation: { text: "High" },
      referenceRange: [{ meaning: { text: "Normal" } }],
    },
    {
      category: [{ coding: [{ code: "laboratory" }] }],
      note: [{ text: "Fasting" }],
      interpretation: [{ text: "High" }],
      referenceRange: [{ type: { text: "Normal" } }],
    },
  ],
  [
    {
      resourceType: "Communication",
      id: "k1",
      status: "rejected",
      category: { text: "alert" },
      requestDetail: { reference: "CommunicationRequest/1" },
      reason: [{ text: "Refill" }],
    },
    {
      status: "not-done",
      category: [{ text: "alert" }],
      basedOn: [{ reference: "CommunicationRequest/1" }],
      reasonCode: [{ text: "Refill" }],
    },
  ],
  [
    {
      resourceType: "EligibilityResponse",
      id: "e1",
      outcome: "complete",
      request: { reference: "EligibilityRequest/q1" },
      organization: { reference: "Organization/o1" },
      disposition: "Covered",
    },
    {
      resourceType: "CoverageEligibilityResponse",
      outcome: "complete",
      request: { reference: "CoverageEligibilityRequest/q1" },
      insurer: { reference: "Organization/o1" },
      disposition: "Covered",
    },
  ],
];

describe("DSTU2", () => {
  it.each(examples)("is converted to R4: %j", (native, r4) => {
    expect(dstu2.toR4(native)[0]).toMatchObject({ id: native.id, ...r4 });
  });

  it("embeds roles in practitioners: each is found as a PractitionerRole that refers to its practitioner", () => {
    const practitioner = {
      resourceType: "Practitioner",
      id: "d1",
      name: { text: "Dr. Bo Marsh", family: ["Marsh"] },
      practitionerRole: [
        {
          specialty: [{ text: "Cardiology" }],
          location: [{ reference: "Location/l1" }],
          managingOrganization: { reference: "Organization/o1" },
        },
        { role: { text: "Doctor" } },
      ],
    };
    const found = dstu2.toR4(practitioner, "PractitionerRole");
    expect(found.map(({ resourceType, id }) => `${resourceType}/${id}`)).toEqual([
      "PractitionerRole/d1.role-0",
      "PractitionerRole/d1.role-1",
      "Practitioner/d1",
    ]);
    expect(found[0]).toMatchObject({
      practitioner: { reference: "Practitioner/d1", display: "Dr. Bo Marsh" },
      organization: { reference: "Organization/o1" },
      specialty: [{ text: "Cardiology" }],
      location: [{ reference: "Location/l1" }],
    });
    expect(dstu2.nativeLocation("PractitionerRole", "d1.role-1")).toEqual({ type: "Practitioner", id: "d1" });
    expect(dstu2.toR4(practitioner, "Practitioner")).toHaveLength(1);
  });

  it("is searched by its native parameters", async () => {
    const asked = async (type: string, params: Record<string, string>, offered: string[] = []) =>
      (await dstu2.translate(type, params, async () => offered)).params;
    expect(await asked("Slot", { status: "free", start: "ge2026-01-01", _sort: "-start", "service-type": "http://x|visit" })).toEqual({
      "fb-type": ["free"],
      start: ["ge2026-01-01"],
      "_sort:desc": ["start"],
      "slot-type": ["http://x|visit"],
    });
    expect(
      await asked("MedicationRequest", {
        patient: "Patient/1",
        status: "active",
        intent: "order",
        _include: "MedicationRequest:medication",
        _sort: "-authoredon",
      }),
    ).toEqual({
      patient: ["Patient/1"],
      status: ["active"],
      _include: ["MedicationOrder:medication"],
      "_sort:desc": ["datewritten"],
    });
    const clinical = { "clinical-status": "http://terminology.hl7.org/CodeSystem/condition-clinical|active" };
    expect(await asked("Condition", clinical)).toEqual({ clinicalstatus: ["active"] });
    expect(await asked("Condition", clinical, ["clinicalStatus"])).toEqual({ clinicalStatus: ["active"] });
    expect(await asked("AllergyIntolerance", { "clinical-status": "active" })).toEqual({ status: ["active,unconfirmed,confirmed"] });
    expect(
      await asked("PractitionerRole", { "practitioner.name": "marsh", active: "true", _include: "PractitionerRole:practitioner" }),
    ).toEqual({ name: ["marsh"] });
    expect(await asked("Patient", { "family:exact": "Alderwick", "general-practitioner": "Practitioner/1", _total: "accurate" })).toEqual({
      "family:exact": ["Alderwick"],
      careprovider: ["Practitioner/1"],
    });
    // Each of several roles, by either kind of id.
    expect(await asked("PractitionerRole", { practitioner: "Practitioner/d1,https://ehr.example/Practitioner/d2,d3" })).toEqual({
      _id: ["d1,d2,d3"],
    });
    expect(await asked("PractitionerRole", { _id: "d1.role-0,d2.role-11" })).toEqual({ _id: ["d1,d2"] });
    expect(await asked("MedicationDispense", { prescription: "MedicationRequest/7,MedicationRequest/8" })).toEqual({
      prescription: ["MedicationOrder/7,MedicationOrder/8"],
    });
    expect(await asked("MedicationDispense", { prescription: "MedicationRequest/7" })).toEqual({ prescription: ["MedicationOrder/7"] });
  });

  it("is filtered here by parameters that it lacks", async () => {
    const { params, filter } = await dstu2.translate("Appointment", { patient: "7", slot: "Slot/s1" }, async () => ["patient", "date"]);
    expect(params).toEqual({ patient: ["7"] });
    const at = (slot: string) => filter({ resourceType: "Appointment", status: "booked", participant: [], slot: [{ reference: slot }] });
    expect([at("Slot/s1"), at("https://ehr.example/Slot/s1"), at("Slot/s2")]).toEqual([true, true, false]);
  });
});
