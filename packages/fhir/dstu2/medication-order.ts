import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, pointing, type Loose } from "../convert/converter.ts";
import { instructionToR4 } from "./dosage.ts";

const orderToR4 = (reference: Loose<R2.Reference>) => pointing("MedicationOrder", "MedicationRequest", reference);
/** https://hl7.org/fhir/DSTU2/medicationorder.html: what R4 calls a MedicationRequest, always an order. */
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
    dosageInstruction: dosageInstruction?.map(instructionToR4),
    dispenseRequest,
    substitution: substitution && { allowedCodeableConcept: substitution.type, reason: substitution.reason },
    priorPrescription: priorPrescription && orderToR4(priorPrescription),
  };
});
