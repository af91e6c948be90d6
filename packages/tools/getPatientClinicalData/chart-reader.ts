import type { SearchParams } from "@vitaline/fhir";
import type { Ehr } from "@vitaline/fhir-providers";
import type { FhirResource, Reference } from "fhir/r4.js";
import type { Found } from "./schema.ts";

export const partMs = 4000;

export const maxOfAType = 100;

export type ChartReader = {
  ehr: Ehr;
  signal: AbortSignal;
  timeZone: string;
  now: Date;
  /** Searches this patient's resources. */
  search<T extends FhirResource>(type: T["resourceType"], params: SearchParams, maxResources?: number): Promise<T[]>;
  /** Filters this patient's resources. AppError `ehr_invalid` if the owner is unknown. */
  own<T>(found: readonly T[], subjectOf: (one: T) => Reference | undefined): T[];
};

export type ReadCategory = (chart: ChartReader) => Promise<Found>;
