import { dstu2 } from "./dstu2/index.ts";
import { stu3 } from "./stu3/index.ts";
import type { FhirVersion, Version } from "./version.ts";
import type { Resource } from "../store/resource.ts";

const same = (text: string) => text;

const r4: Version = {
  name: "R4",
  fhirVersion: "4.0.1",
  mediaType: "application/fhir+json",
  typeName: same,
  paramNames: {},
  joinedParams: {},
  sortsByModifier: false,
  toNative: (resource) => resource,
  toR4: (native) => native as unknown as Resource,
  systemToNative: same,
  systemToR4: same,
};

export const versions: Record<FhirVersion, Version> = { R4: r4, STU3: stu3, DSTU2: dstu2 };
