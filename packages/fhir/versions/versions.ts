import type { FhirResource } from "fhir/r4.js";
import type { FhirVersion, VersionAdapter } from "./convert/version.ts";
import { dstu2 } from "./dstu2/dstu2.ts";
import { rememberOriginal } from "./original-resource.ts";
import { validateR4 } from "./r4-schema.ts";
import { stu3 } from "./stu3/stu3.ts";

/** https://hl7.org/fhir/R4 */
const r4: VersionAdapter = {
  fhirVersion: "R4",
  mediaType: "application/fhir+json",
  nativeType: (type) => type,
  isEmbedded: () => false,
  searchNames: (_, natives) => natives,
  nativeLocation: (type, id) => ({ type, id }),
  toNative: (resource) => resource,
  toR4: (native) => [native as unknown as FhirResource],
  translate: async (_, params) => ({ params, keep: () => true }),
};

/** https://hl7.org/fhir/R4/versions.html */
export const versions: Readonly<Record<FhirVersion, VersionAdapter>> = {
  R4: validated(r4),
  STU3: validated(stu3),
  DSTU2: validated(dstu2),
};

function validated(version: VersionAdapter): VersionAdapter {
  return {
    ...version,
    toR4(native, wanted) {
      const found = version.toR4(native, wanted).map(validateR4);
      for (const one of found) if (version.nativeType(one.resourceType) === native.resourceType) rememberOriginal(one, { native });
      return found;
    },
  };
}
