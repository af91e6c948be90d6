import type { SearchParams } from "@vitaline/fhir";
import type { Ehr } from "@vitaline/fhir-providers";
import type { FhirResource, Reference } from "fhir/r4.js";
import type { Found } from "./schema.ts";

/** A caller waits no longer for what the other parts do not need. */
export const partMs = 4000;

export const mostOfAType = 100;

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
