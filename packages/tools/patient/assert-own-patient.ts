import { AppError } from "@vitaline/core";
import type { Reference } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { idIn } from "../sdk/references.ts";

/** Whether these references name patients, and the verified one is not among them. */
export function isAnothers(run: Run, references: readonly (string | undefined)[]): boolean {
  const patients = references.flatMap((reference) => idIn(reference, "Patient") ?? []);
  return patients.length > 0 && !patients.includes(patientOf(run));
}

/** AppError `ehr_invalid` for what is another patient's, whoever has found or made it: nobody is told of that. */
export function refuseAnothers(run: Run, references: readonly (string | undefined)[]): void {
  if (isAnothers(run, references)) throw new AppError("ehr_invalid", "The record system answered with what is another patient's.");
}

/**
 * Of what a search has found, what is the patient's: servers may ignore what they were asked. AppError `ehr_invalid` when it is all
 * somebody else's, or something does not say whose it is: then nobody knows what the patient has, and nothing is not the answer.
 */
export function ownOf<T>(found: readonly T[], subjectOf: (one: T) => Reference | undefined, patientId: string): T[] {
  const whose = found.map((one) => idIn(subjectOf(one)?.reference, "Patient"));
  const own = found.filter((_, index) => whose[index] === patientId);
  if (whose.includes(undefined) || (own.length === 0 && found.length > 0))
    throw new AppError("ehr_invalid", "The record system answered with what is not the patient's.");
  return own;
}

/** Only where the level asks for it is there a patient, and it is the one that was verified. */
export const patientOf = ({ state }: Run): string => {
  if (!state?.patientId) throw new Error("This tool runs without a verified patient");
  return state.patientId;
};
