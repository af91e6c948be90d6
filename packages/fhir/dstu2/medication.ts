import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, pointing } from "../convert/converter.ts";
import { instructionToR4, takenToR4 } from "./dosage.ts";

/** https://hl7.org/fhir/DSTU2/medication.html: form and ingredients stand under the product. */
export const medication = converter<R2.Medication, R4.Medication>(
  "Medication",
  "Medication",
  ({ product, package: _p, isBrand: _b, ...same }) => ({
    ...same,
    form: product?.form,
    ingredient: product?.ingredient?.map(({ item, amount }) => ({ itemReference: item, strength: amount })),
  }),
);

/** https://hl7.org/fhir/DSTU2/medicationstatement.html: a flag says that it was not taken. */
export const medicationStatement = converter<R2.MedicationStatement, R4.MedicationStatement>(
  "MedicationStatement",
  "MedicationStatement",
  (statement) => {
    const { patient, wasNotTaken, reasonNotTaken, reasonForUseCodeableConcept, reasonForUseReference, note, dosage, ...others } = statement;
    const { supportingInformation, status, ...same } = others;
    return {
      ...same,
      status: wasNotTaken ? "not-taken" : status,
      subject: patient,
      statusReason: reasonNotTaken,
      reasonCode: list(reasonForUseCodeableConcept),
      reasonReference: list(reasonForUseReference),
      derivedFrom: supportingInformation,
      note: note === undefined ? undefined : [{ text: note }],
      dosage: dosage?.map(takenToR4),
    };
  },
);

/** https://hl7.org/fhir/DSTU2/medicationdispense.html: one identifier, one dispenser, and the orders by their old name. */
export const medicationDispense = converter<R2.MedicationDispense, R4.MedicationDispense>(
  "MedicationDispense",
  "MedicationDispense",
  ({ identifier, status, patient, dispenser, authorizingPrescription, receiver, note, dosageInstruction, substitution, ...same }) => ({
    ...same,
    identifier: list(identifier),
    status: status ?? "unknown",
    subject: patient,
    performer: dispenser && [{ actor: dispenser }],
    authorizingPrescription: authorizingPrescription?.map((one) => pointing("MedicationOrder", "MedicationRequest", one)),
    receiver: list(receiver),
    note: note === undefined ? undefined : [{ text: note }],
    dosageInstruction: dosageInstruction?.map(instructionToR4),
    substitution: substitution && { wasSubstituted: true, ...substitution },
  }),
);
