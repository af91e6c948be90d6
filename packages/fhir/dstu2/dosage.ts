import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { list, type Loose } from "../convert/converter.ts";

/** https://hl7.org/fhir/DSTU2/datatypes.html#Timing: units are called in the plural, and meals come one at a time. */
function timingToR4({ repeat, ...same }: Loose<R2.Timing>): Loose<R4.Timing> {
  if (!repeat) return same;
  const { boundsQuantity, durationUnits, periodUnits, when, ...rest } = repeat;
  return {
    ...same,
    repeat: { ...rest, boundsDuration: boundsQuantity, durationUnit: durationUnits, periodUnit: periodUnits, when: list(when) },
  };
}

type Instruction = Loose<R2.MedicationOrderDosageInstruction>;

/** What an order and a dispense say of how to take it. https://hl7.org/fhir/DSTU2/medicationorder-definitions.html */
export function instructionToR4(instruction: Instruction): Loose<R4.Dosage> {
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

type Taken = Loose<R2.MedicationStatementDosage>;

/** A statement's dosage calls the dose a quantity. https://hl7.org/fhir/DSTU2/medicationstatement-definitions.html */
export const takenToR4 = ({ quantityQuantity, quantityRange, ...same }: Taken): Loose<R4.Dosage> =>
  instructionToR4({ ...same, doseQuantity: quantityQuantity, doseRange: quantityRange });
