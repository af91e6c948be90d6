import { isDeepStrictEqual as isSame } from "node:util";
import type { FhirResource } from "fhir/r4.js";
import type { Resource } from "../http/payload-schemas.ts";
import type { FhirVersion, VersionAdapter } from "./convert/version.ts";
import { dstu2 } from "./dstu2/dstu2.ts";
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
  translate: async (_, params) => ({ params, filter: () => true }),
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

type Original = { native: Resource; etag?: string | undefined };

const originals = new WeakMap<FhirResource, Original>();

export const rememberOriginal = (resource: FhirResource, original: Original): void => void originals.set(resource, original);
/** Undefined for a resource that was not read, and for a copy. */
export const originalOf = (resource: FhirResource): Original | undefined => originals.get(resource);

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Applies the change from `before` to `after` to `native`. Both come from `native` by conversion and may lack fields of it; unchanged
 * parts are taken from `native`.
 */
export function applyChange(native: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return native;
  if (Array.isArray(native) && Array.isArray(before) && Array.isArray(after)) return applyToItems(native, before, after);
  return isFields(native) && isFields(before) && isFields(after) ? applyToFields(native, before, after) : after;
}

function applyToItems(native: unknown[], before: unknown[], after: unknown[]): unknown[] {
  if (native.length !== before.length) return after;
  return after.map((one, index) => {
    const at = isSame(before[index], one) ? index : before.findIndex((other) => isSame(other, one));
    if (at >= 0) return native[at];
    return before.length === after.length ? applyChange(native[index], before[index], one) : one;
  });
}

function applyToFields(native: Fields, before: Fields, after: Fields): Fields {
  const merged: Fields = {};
  for (const [field, value] of Object.entries(after)) merged[field] = applyChange(native[field], before[field], value);
  for (const [field, value] of Object.entries(native)) if (!(field in before) && !(field in after)) merged[field] = value;
  // A "_" field describes the value beside it, so it goes when that value was replaced.
  for (const field of Object.keys(merged)) {
    const value = field.slice(1);
    const isStale = field.startsWith("_") && !isSame(merged[value], native[value]) && isSame(merged[field], native[field]);
    if (isStale) delete merged[field];
  }
  return merged;
}
