import type { MedicationDispense, MedicationRequest } from "fhir/r4.js";
import { dayOf } from "../speech/speech-text.ts";
import { idIn } from "../sdk/references.ts";
import { unnamed, type Naming } from "../patient/medications.ts";
import type { Medication } from "./schema.ts";

type Filled = Pick<Medication, "lastFilled" | "refillsLeft">;

/**
 * When a prescription was last filled and how many refills are left: those that were allowed less those that were dispensed after
 * the first fill. Only of what the record says: unless every dispense is known nothing is counted, and a dispense
 * that names no prescription says when, but not of which of several.
 */
export function fillsOf(fills: readonly MedicationDispense[], isEvery: boolean, nameOf: (one: Naming) => string, timeZone: string) {
  const namesPrescription = ({ authorizingPrescription = [] }: MedicationDispense): boolean => authorizingPrescription.length > 0;
  return (one: MedicationRequest): Filled => {
    const own = fills.filter(({ authorizingPrescription = [] }) =>
      authorizingPrescription.some(({ reference }) => one.id !== undefined && idIn(reference, "MedicationRequest") === one.id),
    );
    const name = nameOf(one);
    const alike = own.length > 0 || name === unnamed ? own : fills.filter((fill) => !namesPrescription(fill) && nameOf(fill) === name);
    const days = alike.flatMap(({ whenHandedOver, whenPrepared }) => dayOf(whenHandedOver ?? whenPrepared, timeZone) ?? []);
    const allowed = one.dispenseRequest?.numberOfRepeatsAllowed;
    const isCounted = isEvery && allowed !== undefined && one.status === "active" && fills.every(namesPrescription);
    return {
      lastFilled: days.toSorted().at(-1),
      refillsLeft: isCounted ? Math.max(0, allowed - Math.max(0, own.length - 1)) : undefined,
    };
  };
}
