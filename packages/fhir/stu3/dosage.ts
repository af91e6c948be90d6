import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import type { Loose } from "../convert/converter.ts";

/** Dose and rate stood alone before R4 put them together and let them repeat. https://hl7.org/fhir/STU3/dosage.html */
export function dosageToR4({ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio, ...same }: Loose<R3.Dosage>): Loose<R4.Dosage> {
  const given = [doseQuantity, doseRange, rateQuantity, rateRange, rateRatio].some((one) => one !== undefined);
  return { ...same, ...(given && { doseAndRate: [{ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }] }) };
}
