import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, type Loose, retargetReference } from "../convert/converter.ts";

const orderToR4 = (reference: Loose<R2.Reference>) => retargetReference("MedicationOrder", "MedicationRequest", reference);
/** https://hl7.org/fhir/DSTU2/medicationorder.html: R4's MedicationRequest, always an order. */
export const medicationOrder = converter<R2.MedicationOrder, R4.MedicationRequest>("MedicationOrder", "MedicationRequest", (order) => {
  const { patient, prescriber, dateWritten, reasonEnded, reasonCodeableConcept, reasonReference, note, ...others } = order;
  const { dosageInstruction, dispenseRequest, substitution, priorPrescription, dateEnded: _e, ...same } = others;
  return {
    ...same,
    status: same.status ?? "unknown",
    statusReason: reasonEnded,
    intent: "order",
    subject: patient ?? {},
    requester: prescriber,
    authoredOn: dateWritten,
    reasonCode: list(reasonCodeableConcept),
    reasonReference: list(reasonReference),
    note: note === undefined ? undefined : [{ text: note }],
    dosageInstruction: dosageInstruction?.map(dosageToR4),
    dispenseRequest,
    substitution: substitution && { allowedCodeableConcept: substitution.type, reason: substitution.reason },
    priorPrescription: priorPrescription && orderToR4(priorPrescription),
  };
});

/** https://hl7.org/fhir/DSTU2/medication.html: form and ingredients are under `product`. */
export const medication = converter<R2.Medication, R4.Medication>(
  "Medication",
  "Medication",
  ({ product, package: _p, isBrand: _b, ...same }) => ({
    ...same,
    form: product?.form,
    ingredient: product?.ingredient?.map(({ item, amount }) => ({ itemReference: item, strength: amount })),
  }),
);

/** https://hl7.org/fhir/DSTU2/medicationstatement.html: `wasNotTaken` is a flag. */
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
      dosage: dosage?.map(statementDosageToR4),
    };
  },
);

/** https://hl7.org/fhir/DSTU2/medicationdispense.html: one identifier, one dispenser, references to MedicationOrder. */
export const medicationDispense = converter<R2.MedicationDispense, R4.MedicationDispense>(
  "MedicationDispense",
  "MedicationDispense",
  ({ identifier, status, patient, dispenser, authorizingPrescription, receiver, note, dosageInstruction, substitution, ...same }) => ({
    ...same,
    identifier: list(identifier),
    status: status ?? "unknown",
    subject: patient,
    performer: dispenser && [{ actor: dispenser }],
    authorizingPrescription: authorizingPrescription?.map((one) => retargetReference("MedicationOrder", "MedicationRequest", one)),
    receiver: list(receiver),
    note: note === undefined ? undefined : [{ text: note }],
    dosageInstruction: dosageInstruction?.map(dosageToR4),
    substitution: substitution && { wasSubstituted: true, ...substitution },
  }),
);

/** https://hl7.org/fhir/DSTU2/datatypes.html#Timing: `durationUnits` and `periodUnits`; one `when`. */
function timingToR4({ repeat, ...same }: Loose<R2.Timing>): Loose<R4.Timing> {
  if (!repeat) return same;
  const { boundsQuantity, durationUnits, periodUnits, when, ...rest } = repeat;
  return {
    ...same,
    repeat: { ...rest, boundsDuration: boundsQuantity, durationUnit: durationUnits, periodUnit: periodUnits, when: list(when) },
  };
}

type DosageInstruction = Loose<R2.MedicationOrderDosageInstruction>;

/** The dosage of an order or a dispense. https://hl7.org/fhir/DSTU2/medicationorder-definitions.html */
function dosageToR4(instruction: DosageInstruction): Loose<R4.Dosage> {
  const { additionalInstructions, timing, siteCodeableConcept, siteReference: _s, ...others } = instruction;
  const { doseQuantity, doseRange, rateRatio, rateRange, ...same } = others;
  const given = [doseQuantity, doseRange, rateRatio, rateRange].some((one) => one !== undefined);
  return {
    ...same,
    additionalInstruction: list(additionalInstructions),
    timing: timing && timingToR4(timing),
    site: siteCodeableConcept,
    ...(given && { doseAndRate: [{ doseQuantity, doseRange, rateRatio, rateRange }] }),
  };
}

type StatementDosage = Loose<R2.MedicationStatementDosage>;

/** In a statement the dose is called quantity. https://hl7.org/fhir/DSTU2/medicationstatement-definitions.html */
const statementDosageToR4 = ({ quantityQuantity, quantityRange, ...same }: StatementDosage): Loose<R4.Dosage> =>
  dosageToR4({ ...same, doseQuantity: quantityQuantity, doseRange: quantityRange });
