type Coding = { system?: string | undefined; code?: string | undefined; display?: string | undefined };
type Concept = { coding?: Coding[] | undefined; text?: string | undefined };

const terminology = "http://terminology.hl7.org/CodeSystem";

/** R4 code systems for elements that are plain codes before R4. https://hl7.org/fhir/R4/terminologies-systems.html */
export const codeSystems = {
  conditionClinical: `${terminology}/condition-clinical`,
  conditionVerification: `${terminology}/condition-ver-status`,
  allergyClinical: `${terminology}/allergyintolerance-clinical`,
  allergyVerification: `${terminology}/allergyintolerance-verification`,
  coverageClass: `${terminology}/coverage-class`,
} as const;

export const toConcept = (system: string, code: string | undefined): Concept | undefined =>
  code === undefined ? undefined : { coding: [{ system, code }] };

export const firstCode = (concept: Concept | undefined): string | undefined => concept?.coding?.[0]?.code;

/** Translates the listed codes and leaves all others; the first pair of a code counts. */
export function codeMap(pairs: readonly (readonly [native: string, r4: string])[]): {
  toR4(native: string): string;
  toNative(r4: string): string;
} {
  const toR4 = new Map(pairs.toReversed());
  const toNative = new Map(pairs.toReversed().map(([native, r4]) => [r4, native]));
  return { toR4: (native) => toR4.get(native) ?? native, toNative: (r4) => toNative.get(r4) ?? r4 };
}

/**
 * Code systems that we use and that HL7 moved to terminology.hl7.org in R4; all `v2/…` and `v3/…` moved too.
 * https://hl7.org/fhir/R4/terminologies-systems.html
 */
const movedSystems = new Set([
  "condition-category",
  "observation-category",
  "communication-category",
  "medicationrequest-category",
  "medication-statement-category",
  "practitioner-role",
  "organization-type",
  "location-physical-type",
  "service-category",
  "service-type",
  "appointment-cancellation-reason",
  "coverage-class",
  "coverage-copay-type",
  "subscriber-relationship",
  "benefit-type",
  "benefit-network",
  "benefit-unit",
  "benefit-term",
]);
const nativeBase = "http://hl7.org/fhir/";

const toR4 = (system: string): string => {
  if (!system.startsWith(nativeBase)) return system;
  const name = system.slice(nativeBase.length);
  return movedSystems.has(name) ? `${terminology}/${name}` : /^v[23]\//.test(name) ? `${terminology}/${name.replace("/", "-")}` : system;
};
const toNative = (system: string): string => {
  if (!system.startsWith(`${terminology}/`)) return system;
  const name = system.slice(terminology.length + 1);
  return movedSystems.has(name) ? nativeBase + name : /^v[23]-/.test(name) ? nativeBase + name.replace("-", "/") : system;
};
const directions = { toR4, toNative };

/** Translates all `system` fields of a resource and drops undefined fields. */
export function convertSystems<T>(value: T, direction: keyof typeof directions): T {
  if (Array.isArray(value)) return value.map((one: unknown) => convertSystems(one, direction)) as T;
  if (typeof value !== "object" || value === null) return value;
  const converted: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined)
      converted[key] = key === "system" && typeof one === "string" ? directions[direction](one) : convertSystems(one, direction);
  }
  return converted as T;
}
