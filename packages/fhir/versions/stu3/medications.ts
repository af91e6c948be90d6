import type * as R3 from "fhir/r3.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, type Loose } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/medicationrequest.html: the requester is under `agent`. */
export const medicationRequest = converter<R3.MedicationRequest, R4.MedicationRequest>(
  "MedicationRequest",
  "MedicationRequest",
  ({ status, context, requester, category, definition: _d, basedOn, reasonReference, dosageInstruction, substitution, ...same }) => ({
    ...same,
    status: status ?? "unknown",
    encounter: context,
    requester: requester?.agent,
    category: list(category),
    basedOn: list(basedOn),
    reasonReference: list(reasonReference),
    dosageInstruction: dosageInstruction?.map(dosageToR4),
    substitution: substitution && { allowedBoolean: substitution.allowed, reason: substitution.reason },
  }),
);

/** https://hl7.org/fhir/STU3/medication.html */
export const medication = converter<R3.Medication, R4.Medication>("Medication", "Medication", ({ ingredient, ...same }) => ({
  ...same,
  ingredient: ingredient?.map(({ amount, ...one }) => ({ ...one, strength: amount })),
}));

/** https://hl7.org/fhir/STU3/medicationstatement.html: `taken` is separate from the status. */
export const medicationStatement = converter<R3.MedicationStatement, R4.MedicationStatement>(
  "MedicationStatement",
  "MedicationStatement",
  ({ taken, reasonNotTaken, dosage, basedOn, partOf, reasonReference, ...same }) => ({
    ...same,
    status: taken === "n" ? "not-taken" : same.status,
    statusReason: reasonNotTaken,
    basedOn: list(basedOn),
    partOf: list(partOf),
    reasonReference: list(reasonReference),
    dosage: dosage?.map(dosageToR4),
  }),
);

/** https://hl7.org/fhir/STU3/medicationdispense.html */
export const medicationDispense = converter<R3.MedicationDispense, R4.MedicationDispense>(
  "MedicationDispense",
  "MedicationDispense",
  ({ status, notDone, notDoneReasonCodeableConcept, notDoneReasonReference, performer, receiver, dosageInstruction, ...same }) => ({
    ...same,
    status: notDone ? "declined" : (status ?? "unknown"),
    statusReasonCodeableConcept: notDoneReasonCodeableConcept,
    statusReasonReference: notDoneReasonReference,
    performer: performer?.map(({ onBehalfOf: _o, ...one }) => one),
    receiver: list(receiver),
    dosageInstruction: dosageInstruction?.map(dosageToR4),
  }),
);

/** STU3 has one dose and one rate, outside `doseAndRate`. https://hl7.org/fhir/STU3/dosage.html */
function dosageToR4({ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio, ...same }: Loose<R3.Dosage>): Loose<R4.Dosage> {
  const given = [doseQuantity, doseRange, rateQuantity, rateRange, rateRatio].some((one) => one !== undefined);
  return { ...same, ...(given && { doseAndRate: [{ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }] }) };
}
