import { dstu2 } from "./dstu2/index.ts";
import { r4 } from "./r4/index.ts";
import { wellBuilt } from "./shape.ts";
import { keepSource } from "./source.ts";
import { stu3 } from "./stu3/index.ts";
import type { FhirVersion } from "./types.ts";
import type { Version } from "./version.ts";

/** The versions of FHIR that we speak. https://hl7.org/fhir/R4/versions.html */
export const versions: Readonly<Record<FhirVersion, Version>> = { R4: checked(r4), STU3: checked(stu3), DSTU2: checked(dstu2) };

/** What has become R4 is looked at as R4, whatever it was, and what it was is known when it is written back. */
function checked(version: Version): Version {
  return {
    ...version,
    toR4(native, wanted) {
      const found = version.toR4(native, wanted).map(wellBuilt);
      for (const one of found) if (version.nativeType(one.resourceType) === native.resourceType) keepSource(one, { native });
      return found;
    },
  };
}
