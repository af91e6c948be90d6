import type { CodeableConcept, Medication, MedicationRequest, Observation, Patient, Reference } from "fhir/r4.js";
import type { Resource } from "../store/resource.ts";
import type { Chart, Prescription } from "./chart.ts";
import {
  allergens,
  bloodPressure,
  concept,
  type DrugName,
  drugs,
  measurementOf,
  noKnownAllergy,
  problems,
  reactions,
  ucum,
} from "./codes.ts";
import { groups, payers } from "./organizations.ts";
import { testData } from "./patients.ts";

function medicationRequests({ prescriptions }: Chart, page: Page): Resource[] {
  const requests = prescriptions.map((prescription, index) => request(prescription, index, page));
  const fills = prescriptions.flatMap((prescription, index) =>
    prescription.filledDaysAgo.map((daysAgo) => ({ prescription, index, daysAgo })),
  );
  const dispenses = fills.map(({ prescription: { drug }, index, daysAgo }, fill): Resource => {
    const { code, pieces, days, directions } = drugs[drug];
    return {
      resourceType: "MedicationDispense",
      id: page.idOf("MedicationDispense", fill),
      meta: testData,
      status: "completed",
      medicationCodeableConcept: code,
      subject: page.subject,
      authorizingPrescription: [{ reference: `MedicationRequest/${page.idOf("MedicationRequest", index)}` }],
      quantity: { value: pieces },
      daysSupply: { value: days, unit: "days", system: "http://unitsofmeasure.org", code: "d" },
      whenHandedOver: page.moment(daysAgo),
      dosageInstruction: [{ text: directions }],
    };
  });
  return [...requests, ...dispenses];
}

function request(prescription: Prescription, index: number, page: Page): MedicationRequest {
  const { drug, status, writtenDaysAgo, refills, as } = prescription;
  const { code, pieces, days, directions } = drugs[drug];
  const inside: Medication = { resourceType: "Medication", id: "drug", code };
  const named: Pick<MedicationRequest, "contained" | "medicationCodeableConcept" | "medicationReference"> =
    as === "code"
      ? { medicationCodeableConcept: code }
      : as === "reference"
        ? { medicationReference: { reference: `Medication/medication-${drug}`, display: code.text ?? drug } }
        : { contained: [inside], medicationReference: { reference: "#drug" } };
  return {
    resourceType: "MedicationRequest",
    id: page.idOf("MedicationRequest", index),
    meta: testData,
    identifier: [{ system: "https://sandbox-ehr.example/prescription", value: `RX${page.patient.id.replace("patient-", "")}${index + 1}` }],
    status,
    ...(status === "stopped" && { statusReason: { text: "No longer needed" } }),
    intent: "order",
    category: [
      { coding: [{ system: "http://terminology.hl7.org/CodeSystem/medicationrequest-category", code: "community", display: "Community" }] },
    ],
    ...named,
    subject: page.subject,
    authoredOn: page.moment(writtenDaysAgo),
    requester: page.practitioner,
    dosageInstruction: [{ text: directions }],
    dispenseRequest: {
      validityPeriod: { start: page.day(writtenDaysAgo), end: page.day(writtenDaysAgo - 365) },
      numberOfRepeatsAllowed: refills,
      quantity: { value: pieces },
      expectedSupplyDuration: { value: days, unit: "days", system: "http://unitsofmeasure.org", code: "d" },
    },
  };
}

function statements({ ownMedicines }: Chart, { subject, idOf, day, moment }: Page): Resource[] {
  return ownMedicines.map(({ drug, sinceDays }, index) => ({
    resourceType: "MedicationStatement",
    id: idOf("MedicationStatement", index),
    meta: testData,
    status: "active",
    medicationCodeableConcept: drugs[drug].code,
    subject,
    effectivePeriod: { start: day(sinceDays) },
    dateAsserted: moment(Math.min(sinceDays, 30)),
    informationSource: subject,
    dosage: [{ text: drugs[drug].directions }],
  }));
}

export const medicationResources = (): Medication[] =>
  (Object.keys(drugs) as DrugName[]).map((drug) => ({
    resourceType: "Medication",
    id: `medication-${drug}`,
    meta: testData,
    status: "active",
    code: drugs[drug].code,
  }));

/** Generated when a patient's record is first read. */
export const chartTypes = [
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "MedicationRequest",
  "MedicationDispense",
  "MedicationStatement",
  "Coverage",
  "Communication",
] as const;

interface Author {
  patient: Patient & { id: string };
  practitioner: Reference;
  writtenAt: Date;
}

interface Page extends Author {
  subject: Reference;
  idOf(type: string, index: number): string;
  day(daysAgo: number): string;
  moment(daysAgo: number): string;
}

export function chartResources(chart: Chart, author: Author): Resource[] {
  const { patient, writtenAt } = author;
  const day = (daysAgo: number) => new Date(writtenAt.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const page: Page = {
    ...author,
    subject: { reference: `Patient/${patient.id}` },
    idOf: (type, index) => `${type.toLowerCase()}-${patient.id.replace("patient-", "")}-${index + 1}`,
    day,
    moment: (daysAgo) => `${day(daysAgo)}T15:20:00Z`,
  };
  return [
    ...conditions(chart, page),
    ...allergies(chart, page),
    ...observations(chart, page),
    ...medicationRequests(chart, page),
    ...statements(chart, page),
    ...coverages(chart, page),
    ...communications(chart, page),
  ];
}

const coded = (system: string, code: string): CodeableConcept => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});

function conditions({ problems: listed }: Chart, { subject, practitioner, idOf, day }: Page): Resource[] {
  return listed.map(({ problem, status, sinceDays }, index) => ({
    resourceType: "Condition",
    id: idOf("Condition", index),
    meta: testData,
    clinicalStatus: coded("condition-clinical", status),
    verificationStatus: coded("condition-ver-status", "confirmed"),
    category: [coded("condition-category", "problem-list-item")],
    code: problems[problem],
    subject,
    onsetDateTime: day(sinceDays),
    ...(status === "resolved" && { abatementDateTime: day(Math.max(0, sinceDays - 14)) }),
    recordedDate: day(sinceDays),
    recorder: practitioner,
  }));
}

function allergies({ allergies: listed }: Chart, { subject, idOf, day }: Page): Resource[] {
  const status = (clinical: string) => ({
    clinicalStatus: coded("allergyintolerance-clinical", clinical),
    verificationStatus: coded("allergyintolerance-verification", "confirmed"),
  });
  if (listed === "none known") {
    const none = { id: idOf("AllergyIntolerance", 0), meta: testData, ...status("active"), code: noKnownAllergy, patient: subject };
    return [{ resourceType: "AllergyIntolerance", ...none, recordedDate: day(365) }];
  }
  return listed.map(({ allergen, reaction, high = false, resolved = false }, index) => ({
    resourceType: "AllergyIntolerance",
    id: idOf("AllergyIntolerance", index),
    meta: testData,
    ...status(resolved ? "resolved" : "active"),
    type: "allergy",
    category: [allergens[allergen].category],
    criticality: high ? "high" : "low",
    code: allergens[allergen].code,
    patient: subject,
    recordedDate: day(700 + index),
    reaction: [{ manifestation: [reactions[reaction]], severity: high ? "severe" : "mild" }],
  }));
}

function observations({ visits, labs }: Chart, page: Page): Resource[] {
  const vitals = visits.flatMap(({ daysAgo, systolic, diastolic, weightKg, heartRate }) => [
    pressure(systolic, diastolic, daysAgo, page),
    measured("weight", weightKg, daysAgo, page),
    measured("heartRate", heartRate, daysAgo, page),
  ]);
  const tests = labs.map(({ test, value, daysAgo }) => measured(test, value, daysAgo, page));
  return [...vitals, ...tests].map((observation, index) => ({ ...observation, id: page.idOf("Observation", index) }));
}

function observed(category: string, code: CodeableConcept, daysAgo: number, { subject, practitioner, moment }: Page): Observation {
  return {
    resourceType: "Observation",
    meta: testData,
    status: "final",
    category: [coded("observation-category", category)],
    code,
    subject,
    effectiveDateTime: moment(daysAgo),
    performer: [practitioner],
  };
}

function pressure(systolic: number, diastolic: number, daysAgo: number, page: Page): Observation {
  const part = (code: CodeableConcept, value: number) => ({
    code,
    valueQuantity: { value, unit: bloodPressure.unit, system: ucum, code: bloodPressure.unitCode },
  });
  return {
    ...observed("vital-signs", bloodPressure.panel, daysAgo, page),
    component: [part(bloodPressure.systolic, systolic), part(bloodPressure.diastolic, diastolic)],
  };
}

function measured(name: Parameters<typeof measurementOf>[0], value: number, daysAgo: number, page: Page): Observation {
  const { category, code, unit, unitCode, low, high } = measurementOf(name);
  const quantity = (amount: number) => ({ value: amount, unit, system: ucum, code: unitCode });
  const range = { ...(low !== undefined && { low: quantity(low) }), ...(high !== undefined && { high: quantity(high) }) };
  const interpretation = low !== undefined && value < low ? "L" : high !== undefined && value > high ? "H" : "N";
  return {
    ...observed(category, code, daysAgo, page),
    valueQuantity: quantity(value),
    ...(Object.keys(range).length > 0 && {
      interpretation: [coded("v3-ObservationInterpretation", interpretation)],
      referenceRange: [range],
    }),
  };
}

function coverages({ insurance }: Chart, { patient, subject, idOf, day }: Page): Resource[] {
  const number = patient.id.replace("patient-", "");
  return insurance.map(({ payer, plan, status, startedDaysAgo, endedDaysAgo, copayDollars }, index) => {
    const { id, name } = payers[payer]!;
    return {
      resourceType: "Coverage",
      id: idOf("Coverage", index),
      meta: testData,
      identifier: [{ type: coded("v2-0203", "MB"), system: `https://sandbox-ehr.example/member/${id}`, value: `MEM${number}${index + 1}` }],
      status,
      type: {
        coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "EHCPOL", display: "extended healthcare" }],
        text: "Medical",
      },
      policyHolder: subject,
      subscriber: subject,
      subscriberId: `MEM${number}${index + 1}`,
      beneficiary: subject,
      relationship: coded("subscriber-relationship", "self"),
      period: { start: day(startedDaysAgo), ...(endedDaysAgo !== undefined && { end: day(endedDaysAgo) }) },
      payor: [{ reference: `Organization/${id}`, display: name }],
      class: [
        { type: coded("coverage-class", "group"), value: `GRP${4000 + payer}`, name: "Sampleton Employers" },
        { type: coded("coverage-class", "plan"), value: plan.toLowerCase().replaceAll(" ", "-"), name: plan },
      ],
      order: index + 1,
      costToBeneficiary: [
        {
          type: concept("Copay per visit", { system: "http://terminology.hl7.org/CodeSystem/coverage-copay-type", code: "gpvisit" }),
          valueMoney: { value: copayDollars, currency: "USD" },
        },
      ],
    };
  });
}

function communications({ messages }: Chart, { subject, idOf, moment }: Page): Resource[] {
  return messages.map(({ daysAgo, text }, index) => ({
    resourceType: "Communication",
    id: idOf("Communication", index),
    meta: testData,
    status: "completed",
    category: [coded("communication-category", "notification")],
    subject,
    sent: moment(daysAgo),
    recipient: [subject],
    sender: { reference: `Group/${groups[0].id}`, display: groups[0].name },
    payload: [{ contentString: text }],
  }));
}
