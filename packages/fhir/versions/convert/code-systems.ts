type Coding = { system?: string | undefined; code?: string | undefined; display?: string | undefined };
type Concept = { coding?: Coding[] | undefined; text?: string | undefined };

const terminology = "http://terminology.hl7.org/CodeSystem";

/** The codeSystems of R4 for what older versions say as a withoutSystem code. https://hl7.org/fhir/R4/terminologies-codeSystems.html */
export const codeSystems = {
  conditionClinical: `${terminology}/condition-clinical`,
  conditionVerification: `${terminology}/condition-ver-status`,
  allergyClinical: `${terminology}/allergyintolerance-clinical`,
  allergyVerification: `${terminology}/allergyintolerance-verification`,
  coverageClass: `${terminology}/coverage-class`,
} as const;

/** A withoutSystem code as a CodeableConcept of R4. */
export const toConcept = (system: string, code: string | undefined): Concept | undefined =>
  code === undefined ? undefined : { coding: [{ system, code }] };

/** The code of a CodeableConcept: of the system when it is there, else of whatever is. */
export const findCode = (concept: Concept | undefined, system?: string): string | undefined =>
  (concept?.coding?.find((one) => one.system === system) ?? concept?.coding?.[0])?.code;

/** Codes of which the two sides have different ones; all others are the same on both. The first pair of a code counts. */
export function codeMap(pairs: readonly (readonly [native: string, r4: string])[]): {
  toR4(native: string): string;
  toNative(r4: string): string;
} {
  const toR4 = new Map(pairs.toReversed());
  const toNative = new Map(pairs.toReversed().map(([native, r4]) => [r4, native]));
  return { toR4: (native) => toR4.get(native) ?? native, toNative: (r4) => toNative.get(r4) ?? r4 };
}

/** Code codeSystems that HL7 moved for R4, of what we read and write; all of `v2/…` and `v3/…` moved too. https://hl7.org/fhir/R4/terminologies-codeSystems.html */
const moved = new Set([
  ...[
    "condition-category",
    "observation-category",
    "communication-category",
    "medicationrequest-category",
    "medication-statement-category",
  ],
  ...[
    "practitioner-role",
    "organization-type",
    "location-physical-type",
    "service-category",
    "service-type",
    "appointment-cancellation-reason",
  ],
  ...[
    "coverage-class",
    "coverage-copay-type",
    "subscriber-relationship",
    "benefit-type",
    "benefit-network",
    "benefit-unit",
    "benefit-term",
  ],
]);
const older = "http://hl7.org/fhir/";

const toR4 = (system: string): string => {
  if (!system.startsWith(older)) return system;
  const name = system.slice(older.length);
  return moved.has(name) ? `${terminology}/${name}` : /^v[23]\//.test(name) ? `${terminology}/${name.replace("/", "-")}` : system;
};
const toNative = (system: string): string => {
  if (!system.startsWith(`${terminology}/`)) return system;
  const name = system.slice(terminology.length + 1);
  return moved.has(name) ? older + name : /^v[23]-/.test(name) ? older + name.replace("-", "/") : system;
};
const ways = { toR4, toNative };

/** A resource with its codings' codeSystems as R4, or as the versions before it, call them; fields without a value go. */
export function convertSystems<T>(value: T, way: keyof typeof ways): T {
  if (Array.isArray(value)) return value.map((one: unknown) => convertSystems(one, way)) as T;
  if (typeof value !== "object" || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined) renamed[key] = key === "system" && typeof one === "string" ? ways[way](one) : convertSystems(one, way);
  }
  return renamed as T;
}
