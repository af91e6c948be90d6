import { describe, expect, it } from "vitest";
import type { Resource } from "../../http/payload-schemas.ts";
import { stu3 } from "./stu3.ts";

/** Resources like the STU3 specification's examples, and their R4 conversions. */
const examples: [native: Resource, r4: object][] = [
  [
    {
      resourceType: "Slot",
      id: "s1",
      status: "free",
      serviceCategory: { text: "General" },
      schedule: {},
      start: "2026-01-05T09:00:00Z",
      end: "2026-01-05T09:30:00Z",
    },
    { status: "free", serviceCategory: [{ text: "General" }] },
  ],
  [
    {
      resourceType: "Appointment",
      id: "a1",
      status: "proposed",
      reason: [{ text: "Cough" }],
      indication: [{ reference: "Condition/1" }],
      incomingReferral: [{ reference: "ReferralRequest/1" }],
      participant: [],
    },
    {
      status: "proposed",
      reasonCode: [{ text: "Cough" }],
      reasonReference: [{ reference: "Condition/1" }],
      basedOn: [{ reference: "ReferralRequest/1" }],
    },
  ],
  [
    {
      resourceType: "Condition",
      id: "c1",
      subject: { reference: "Patient/p1" },
      context: { reference: "Encounter/e1" },
      clinicalStatus: "recurrence",
      verificationStatus: "confirmed",
      category: [{ coding: [{ system: "http://hl7.org/fhir/condition-category", code: "problem-list-item" }] }],
      assertedDate: "2020-01-02",
      stage: { summary: { text: "II" } },
    },
    {
      encounter: { reference: "Encounter/e1" },
      clinicalStatus: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/condition-clinical", code: "recurrence" }] },
      category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/condition-category", code: "problem-list-item" }] }],
      recordedDate: "2020-01-02",
      stage: [{ summary: { text: "II" } }],
    },
  ],
  [
    {
      resourceType: "AllergyIntolerance",
      id: "i1",
      patient: {},
      clinicalStatus: "active",
      verificationStatus: "confirmed",
      assertedDate: "2020-01-02",
      category: ["food"],
    },
    {
      clinicalStatus: { coding: [{ code: "active" }] },
      verificationStatus: { coding: [{ code: "confirmed" }] },
      recordedDate: "2020-01-02",
      category: ["food"],
    },
  ],
  [
    {
      resourceType: "Observation",
      id: "o1",
      status: "final",
      code: {},
      context: { reference: "Encounter/e1" },
      comment: "Fasting",
      interpretation: { coding: [{ system: "http://hl7.org/fhir/v2/0078", code: "H" }] },
      related: [{ type: "has-member", target: { reference: "Observation/2" } }],
    },
    {
      encounter: { reference: "Encounter/e1" },
      note: [{ text: "Fasting" }],
      interpretation: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/v2-0078", code: "H" }] }],
      hasMember: [{ reference: "Observation/2" }],
    },
  ],
  [
    {
      resourceType: "MedicationRequest",
      id: "m1",
      intent: "order",
      status: "active",
      subject: {},
      requester: { agent: { reference: "Practitioner/d1" }, onBehalfOf: {} },
      dosageInstruction: [{ text: "Daily", doseQuantity: { value: 1 }, rateQuantity: { value: 2 } }],
      substitution: { allowed: true },
    },
    {
      requester: { reference: "Practitioner/d1" },
      dosageInstruction: [{ text: "Daily", doseAndRate: [{ doseQuantity: { value: 1 }, rateQuantity: { value: 2 } }] }],
      substitution: { allowedBoolean: true },
    },
  ],
  [
    { resourceType: "MedicationStatement", id: "t1", status: "active", taken: "n", subject: {}, reasonNotTaken: [{ text: "Nausea" }] },
    { status: "not-taken", statusReason: [{ text: "Nausea" }] },
  ],
  [
    {
      resourceType: "MedicationDispense",
      id: "d1",
      status: "stopped",
      notDone: true,
      performer: [{ actor: { reference: "Organization/1" }, onBehalfOf: {} }],
    },
    { status: "declined", performer: [{ actor: { reference: "Organization/1" } }] },
  ],
  [
    {
      resourceType: "Coverage",
      id: "v1",
      subscriberId: "MEM1",
      payor: [{ reference: "Organization/o1" }],
      grouping: { group: "G1", groupDisplay: "Staff", plan: "P1", planDisplay: "Gold" },
      sequence: "9",
    },
    {
      status: "active",
      beneficiary: {},
      class: [
        {
          type: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/coverage-class", code: "group" }] },
          value: "G1",
          name: "Staff",
        },
        { type: { coding: [{ code: "plan" }] }, value: "P1", name: "Gold" },
        { type: { coding: [{ code: "sequence" }] }, value: "9" },
      ],
    },
  ],
  [
    {
      resourceType: "EligibilityResponse",
      id: "e1",
      request: { reference: "EligibilityRequest/q1" },
      outcome: { coding: [{ code: "complete" }] },
      inforce: true,
      requestProvider: { reference: "Practitioner/d1" },
      insurance: [
        {
          coverage: { reference: "Coverage/v1" },
          benefitBalance: [
            { category: { text: "Medical" }, financial: [{ type: { text: "copay" }, allowedMoney: { value: 25, currency: "USD" } }] },
          ],
        },
      ],
    },
    {
      resourceType: "CoverageEligibilityResponse",
      request: { reference: "CoverageEligibilityRequest/q1" },
      outcome: "complete",
      requestor: { reference: "Practitioner/d1" },
      insurance: [
        {
          coverage: { reference: "Coverage/v1" },
          inforce: true,
          item: [{ category: { text: "Medical" }, benefit: [{ type: { text: "copay" }, allowedMoney: { value: 25 } }] }],
        },
      ],
    },
  ],
  [
    {
      resourceType: "Communication",
      id: "k1",
      status: "suspended",
      notDone: true,
      notDoneReason: { text: "Wrong number" },
      topic: [{ reference: "MedicationRequest/1" }],
      context: { reference: "Encounter/e1" },
    },
    {
      status: "not-done",
      statusReason: { text: "Wrong number" },
      about: [{ reference: "MedicationRequest/1" }],
      encounter: { reference: "Encounter/e1" },
    },
  ],
  [
    { resourceType: "Location", id: "l1", name: "Main", type: { text: "Clinic" } },
    { name: "Main", type: [{ text: "Clinic" }] },
  ],
];

describe("STU3", () => {
  it.each(examples)("is converted to R4: %j", (native, r4) => {
    expect(stu3.toR4(native)[0]).toMatchObject({ id: native.id, ...r4 });
  });

  it("is searched by its native parameters, as the server lists them", async () => {
    const asked = async (type: string, params: Record<string, string>, offered: string[] = []) =>
      (await stu3.translate(type, params, async () => offered)).params;
    expect(await asked("Coverage", { patient: "Patient/1", status: "active" }, ["beneficiary"])).toEqual({ beneficiary: ["Patient/1"] });
    expect(await asked("Coverage", { patient: "Patient/1", status: "active" }, ["patient", "status"])).toEqual({
      patient: ["Patient/1"],
      status: ["active"],
    });
    expect(
      await asked("Condition", {
        category: "http://terminology.hl7.org/CodeSystem/condition-category|problem-list-item",
        "recorded-date": "ge2020",
      }),
    ).toEqual({
      category: ["problem-list-item"],
      "asserted-date": ["ge2020"],
    });
    expect(await asked("Slot", { "service-type": "visit", _sort: "-start" }, ["slot-type"])).toEqual({
      "slot-type": ["visit"],
      _sort: ["-start"],
    });
    expect(await asked("CoverageEligibilityResponse", { request: "CoverageEligibilityRequest/7" })).toEqual({
      request: ["EligibilityRequest/7"],
    });
  });

  it("lists its search parameters by R4 names", () => {
    expect(stu3.searchNames("Coverage", ["beneficiary", "identifier"]).toSorted()).toEqual([
      "beneficiary",
      "identifier",
      "patient",
      "status",
    ]);
    expect(stu3.searchNames("Condition", ["asserted-date", "clinical-status"]).toSorted()).toEqual([
      "asserted-date",
      "clinical-status",
      "recorded-date",
    ]);
  });
});
