import { dayIn } from "@vitaline/core";
import type { MedicationDispense, MedicationRequest } from "fhir/r4.js";
import { recordedDay } from "../speech/speech-text.ts";
import { referencedId } from "../patient/chart.ts";
import { unnamedMedication, type MedicationReference } from "../patient/medications.ts";
import type { Medication } from "./schema.ts";

type Filled = Pick<Medication, "lastFilled" | "refillsLeft">;

/**
 * Refills left are the allowed repeats minus dispenses after the first fill, counted only if all dispenses are known and the
 * prescription has not expired. A dispense without a prescription reference gives a date by medication name, but is not counted.
 */
export function fillsOf(
  fills: readonly MedicationDispense[],
  isEvery: boolean,
  nameOf: (one: MedicationReference) => string,
  { timeZone, now }: { timeZone: string; now: Date },
) {
  const today = dayIn(timeZone, now);
  /** An end that is no date counts as past. */
  const hasExpired = ({ dispenseRequest }: MedicationRequest): boolean => {
    const end = dispenseRequest?.validityPeriod?.end;
    const lastDay = recordedDay(end, timeZone);
    return end !== undefined && (lastDay === undefined || lastDay < today.slice(0, lastDay.length));
  };
  const namesPrescription = ({ authorizingPrescription = [] }: MedicationDispense): boolean => authorizingPrescription.length > 0;
  return (one: MedicationRequest): Filled => {
    const own = fills.filter(({ authorizingPrescription = [] }) =>
      authorizingPrescription.some(({ reference }) => one.id !== undefined && referencedId(reference, "MedicationRequest") === one.id),
    );
    const name = nameOf(one);
    const alike =
      own.length > 0 || name === unnamedMedication ? own : fills.filter((fill) => !namesPrescription(fill) && nameOf(fill) === name);
    const days = alike.flatMap(({ whenHandedOver, whenPrepared }) => recordedDay(whenHandedOver ?? whenPrepared, timeZone) ?? []);
    const allowed = one.dispenseRequest?.numberOfRepeatsAllowed;
    const isCounted = isEvery && allowed !== undefined && one.status === "active" && !hasExpired(one) && fills.every(namesPrescription);
    return {
      lastFilled: days.toSorted().at(-1),
      refillsLeft: isCounted ? Math.max(0, allowed - Math.max(0, own.length - 1)) : undefined,
    };
  };
}
