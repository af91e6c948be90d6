import { AppError } from "@vitaline/core";
import type { Reference } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { referencedId } from "../sdk/references.ts";

/** The verified patient's id; only tools of level 1 or 2 have one. */
export const patientIdOf = ({ state }: Run): string => {
  if (!state?.patientId) throw new Error("This tool runs without a verified patient");
  return state.patientId;
};

export function isOtherPatients(run: Run, references: readonly (string | undefined)[]): boolean {
  const patients = references.flatMap((reference) => referencedId(reference, "Patient") ?? []);
  return patients.length > 0 && !patients.includes(patientIdOf(run));
}

/** AppError `ehr_invalid` if the resource belongs to another patient. */
export function assertOwnPatient(run: Run, references: readonly (string | undefined)[]): void {
  if (isOtherPatients(run, references)) throw new AppError("ehr_invalid", "The record system answered with another patient's record.");
}

/** After a write. AppError `ehr_unknown_outcome`: what was written, and for whom, is not known. */
export function assertMadeForPatient(run: Run, references: readonly (string | undefined)[]): void {
  if (isOtherPatients(run, references))
    throw new AppError("ehr_unknown_outcome", "The record system answered a write with another patient's record.");
}

/**
 * Filters the patient's resources, since servers may ignore search parameters. AppError `ehr_invalid` if all belong to others or one has
 * no owner: then the true result is unknown.
 */
export function ownResources<T>(found: readonly T[], subjectOf: (one: T) => Reference | undefined, patientId: string): T[] {
  const whose = found.map((one) => referencedId(subjectOf(one)?.reference, "Patient"));
  const own = found.filter((_, index) => whose[index] === patientId);
  if (whose.includes(undefined) || (own.length === 0 && found.length > 0))
    throw new AppError("ehr_invalid", "The record system answered with records of other patients.");
  return own;
}
