import { allDone, AppError, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Patient } from "fhir/r4.js";
import { isOpenChart } from "./verifyPatientIdentity/match.ts";

/**
 * An EHR for one verified patient: beside the first request to it the patient's chart is read, and nothing is written before that is
 * known to be open still. `chart` is that reading; AppError `ehr_forbidden` when it was closed since the patient was verified.
 */
export function withOpenChart(ehr: Ehr, patientId: string, signal: AbortSignal): { ehr: Ehr; chart(): Promise<Patient> } {
  let reading: Promise<Patient> | undefined;
  const chart = (): Promise<Patient> => (reading ??= readOpen(ehr, patientId, signal));
  const guarded: Ehr = {
    ...ehr,
    read: async (...asked) => (await allDone([chart(), ehr.read(...asked)]))[1],
    search: async (...asked) => (await allDone([chart(), ehr.search(...asked)]))[1],
    create: async (...asked) => (await chart(), ehr.create(...asked)),
    update: async (...asked) => (await chart(), ehr.update(...asked)),
  };
  return { ehr: guarded, chart };
}

/** A chart that is gone is as good as closed. */
async function readOpen(ehr: Ehr, patientId: string, signal: AbortSignal): Promise<Patient> {
  const patient = await ehr.read<Patient>("Patient", patientId, { signal }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found")) return undefined;
    throw error;
  });
  if (!patient || !isOpenChart(patient)) throw new AppError("ehr_forbidden", "The chart was closed since the patient was verified.");
  return patient;
}
