import { AppError, errorFields, isAppError } from "@vitaline/core";
import type { ResourceType } from "@vitaline/fhir";
import { defineTool } from "../sdk/define-tool.ts";
import { examples, questions } from "./examples.ts";
import { categories, type Category, type Found, Input, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import { ownResources, patientIdOf } from "../patient/chart.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { readAllergies, readConditions, readMedications } from "./clinical-lists.ts";
import { readLabs, readVitals } from "./observations.ts";
import { type ChartReader, maxOfAType, partMs, type ReadCategory } from "./chart-reader.ts";

export const getPatientClinicalData = defineTool({
  name: "getPatientClinicalData",
  description: [
    "Read from the verified caller's own chart: active conditions, allergies with reactions, the last vital signs and lab results, and active",
    "medications. Ask only for the categories that the caller wants to know about; results are labs. Say what the record says; never interpret a value or give",
    "medical advice. Needs verifyPatientIdentity with two matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  scopes: [
    "system/Patient.rs",
    "system/Condition.rs",
    "system/AllergyIntolerance.rs",
    "system/Observation.rs",
    "system/MedicationRequest.rs",
    "system/Medication.rs",
  ],
  requests: ({ categories: requested = categories }) => ["read Patient", ...requested.map(requestFor)],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: (run, { categories: requested = categories }) => readCategories(run, requested),
  speak,
  questions,
  examples,
});

const parts: Record<Category, { type: ResourceType; read: ReadCategory }> = {
  conditions: { type: "Condition", read: readConditions },
  allergies: { type: "AllergyIntolerance", read: readAllergies },
  vitals: { type: "Observation", read: readVitals },
  labs: { type: "Observation", read: readLabs },
  medications: { type: "MedicationRequest", read: readMedications },
};

const requestFor = (category: Category): string => `search ${parts[category].type}`;

/**
 * Reads all categories in parallel, each within its time limit; failed ones are listed in `missing`. AppError `ehr_unsupported` if the
 * server has none of them; if all fail, throws the first error.
 */
async function readCategories(run: Run, requested: readonly Category[]): Promise<RunResult<Output>> {
  const { supports } = await run.ehr.capability({ signal: run.signal });
  const notSupported = requested.filter((category) => !supports(parts[category].type, "search-type"));
  const readable = requested.filter((category) => !notSupported.includes(category));
  if (readable.length === 0) throw new AppError("ehr_unsupported", "The record system has none of the requested clinical data.");

  const patientId = patientIdOf(run);
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(partMs)]);
  const chart: ChartReader = {
    ehr: run.ehr,
    signal,
    timeZone: run.timeZone,
    now: run.ctx.clock(),
    search: (type, params, maxResources = maxOfAType) =>
      run.ehr.search(type, { patient: `Patient/${patientId}`, ...params }, { signal, maxResources }),
    own: (found, subjectOf) => ownResources(found, subjectOf, patientId),
  };
  const ends = await Promise.allSettled(readable.map((category) => parts[category].read(chart)));
  // Throws if the chart was closed in the meantime.
  await run.chart();
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  for (const error of failures) if (!isAppError(error)) run.ctx.log("error", "tool.part_failed", errorFields(error));
  if (failures.length === readable.length) throw failures[0];
  const found: Found = Object.assign({}, ...ends.map((end) => (end.status === "fulfilled" ? end.value : {})));
  const labsFirst = requested[0] === "labs" && requested.length > 1;
  const missing = readable.filter((_, index) => ends[index]?.status === "rejected");
  return {
    patientId,
    detail: { action: readable.join(",") },
    output: { ...found, missing, notSupported, ...(labsFirst ? { labsFirst } : {}) },
  };
}
