import type { FhirResource } from "fhir/r4.js";
import type { Version } from "../version.ts";

/** What we speak ourselves: nothing to translate. https://hl7.org/fhir/R4 */
export const r4: Version = {
  fhirVersion: "R4",
  mediaType: "application/fhir+json",
  nativeType: (type) => type,
  isWithin: () => false,
  searchNames: (_, natives) => natives,
  holderOf: (type, id) => ({ type, id }),
  toNative: (resource) => resource,
  toR4: (native) => [native as unknown as FhirResource],
  translate: async (_, params) => ({ params, keep: () => true }),
};
