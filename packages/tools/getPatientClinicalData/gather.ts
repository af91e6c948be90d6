import { AppError, errorFields, isAppError } from "@vitaline/core";
import type { ResourceType, SearchParams } from "@vitaline/fhir";
import type { Ehr } from "@vitaline/fhir-providers";
import type { FhirResource, Reference } from "fhir/r4.js";
import { patientOf, type Ran, type Run } from "../define-tool.ts";
import { ownOf } from "../subject.ts";
import { readAllergies } from "./allergies.ts";
import { readConditions } from "./conditions.ts";
import type { Category } from "./input.ts";
import { readMedications } from "./medications.ts";
import { readLabs, readVitals } from "./observations.ts";
import type { Found, Output } from "./output.ts";

/** A caller waits no longer for what the other parts do not need. */
const partMs = 4000;
const mostOfAType = 100;

/** What a part reads with. */
export type Chart = {
  ehr: Ehr;
  signal: AbortSignal;
  timeZone: string;
  now: Date;
  /** Of this patient, and no other. */
  search<T extends FhirResource>(type: T["resourceType"], params: SearchParams, maxResources?: number): Promise<T[]>;
  /** Of what came, what is this patient's; AppError `ehr_invalid` when that cannot be told. */
  own<T>(found: readonly T[], subjectOf: (one: T) => Reference | undefined): T[];
};
/** One part of the answer; throws what the EHR throws. */
export type Read = (chart: Chart) => Promise<Found>;

const parts: Record<Category, { type: ResourceType; read: Read }> = {
  conditions: { type: "Condition", read: readConditions },
  allergies: { type: "AllergyIntolerance", read: readAllergies },
  vitals: { type: "Observation", read: readVitals },
  labs: { type: "Observation", read: readLabs },
  medications: { type: "MedicationRequest", read: readMedications },
};

/** The request to the EHR that a category costs. */
export const requestFor = (category: Category): string => `search ${parts[category].type}`;

/**
 * All parts at once, each within its time: what failed, was too slow or was thrown away is named and the others are given. AppError `ehr_unsupported`
 * when the server has none of them, and the error of a part when all have failed.
 */
export async function gather(run: Run, asked: readonly Category[]): Promise<Ran<Output>> {
  const { supports } = await run.ehr.capability({ signal: run.signal });
  const notSupported = asked.filter((category) => !supports(parts[category].type, "search-type"));
  const readable = asked.filter((category) => !notSupported.includes(category));
  if (readable.length === 0) throw new AppError("ehr_unsupported", "The record system has none of the clinical data that was asked for.");

  const patientId = patientOf(run);
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(partMs)]);
  const chart: Chart = {
    ehr: run.ehr,
    signal,
    timeZone: run.timeZone,
    now: run.ctx.clock(),
    search: (type, params, maxResources = mostOfAType) =>
      run.ehr.search(type, { patient: `Patient/${patientId}`, ...params }, { signal, maxResources }),
    own: (found, subjectOf) => ownOf(found, subjectOf, patientId),
  };
  const ends = await Promise.allSettled(readable.map((category) => parts[category].read(chart)));
  // Nothing is told of a chart that was closed meanwhile.
  await run.chart();
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  for (const error of failures) if (!isAppError(error)) run.ctx.log("error", "tool.part_failed", errorFields(error));
  if (failures.length === readable.length) throw failures[0];
  const found: Found = Object.assign({}, ...ends.map((end) => (end.status === "fulfilled" ? end.value : {})));
  const missing = readable.filter((_, index) => ends[index]?.status === "rejected");
  return { patientId, detail: { action: readable.join(",") }, output: { ...found, missing, notSupported } };
}
