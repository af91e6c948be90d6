type Coding = { system?: string | undefined; code?: string | undefined; display?: string | undefined };
export type Concept = { coding?: Coding[] | undefined; text?: string | undefined };

export const terminology = "http://terminology.hl7.org/CodeSystem";

/** The systems of R4 for what older versions say as a bare code. https://hl7.org/fhir/R4/terminologies-systems.html */
export const systems = {
  conditionClinical: `${terminology}/condition-clinical`,
  conditionVerification: `${terminology}/condition-ver-status`,
  allergyClinical: `${terminology}/allergyintolerance-clinical`,
  allergyVerification: `${terminology}/allergyintolerance-verification`,
  coverageClass: `${terminology}/coverage-class`,
} as const;

/** A bare code as a CodeableConcept of R4. */
export const conceptOf = (system: string, code: string | undefined): Concept | undefined =>
  code === undefined ? undefined : { coding: [{ system, code }] };

/** The code of a CodeableConcept: of the system when it is there, else of whatever is. */
export const codeIn = (concept: Concept | undefined, system?: string): string | undefined =>
  (concept?.coding?.find((one) => one.system === system) ?? concept?.coding?.[0])?.code;

/** Codes of which the two sides have different ones; all others are the same on both. The first pair of a code counts. */
export function codes(pairs: readonly (readonly [native: string, r4: string])[]): {
  toR4(native: string): string;
  toNative(r4: string): string;
} {
  const toR4 = new Map(pairs.toReversed());
  const toNative = new Map(pairs.toReversed().map(([native, r4]) => [r4, native]));
  return { toR4: (native) => toR4.get(native) ?? native, toNative: (r4) => toNative.get(r4) ?? r4 };
}
