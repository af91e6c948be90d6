import type { Medication, MedicationRequest } from "fhir/r4.js";
import type { Resource } from "../resource.ts";
import type { Chart, Prescription } from "./chart.ts";
import type { Page } from "./chart-resources.ts";
import { drugs, type DrugName } from "./codes.ts";
import { testData } from "./patients.ts";

/** The prescriptions of a chart, each followed by what the pharmacy handed over for it. */
export function medicationRequests({ prescriptions }: Chart, page: Page): Resource[] {
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

/** What a patient says to take of their own accord. */
export function statements({ ownMedicines }: Chart, { subject, idOf, day, moment }: Page): Resource[] {
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

/** The drugs that prescriptions refer to. */
export const medicationResources = (): Medication[] =>
  (Object.keys(drugs) as DrugName[]).map((drug) => ({
    resourceType: "Medication",
    id: `medication-${drug}`,
    meta: testData,
    status: "active",
    code: drugs[drug].code,
  }));
