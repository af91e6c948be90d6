import type { FhirResource } from "fhir/r4.js";

/** Identical in all versions, so never converted. */
type CommonFields = `_${string}` | "resourceType" | "extension" | "modifierExtension" | "contained" | "meta";

/** A FHIR type without the common fields, and with codes as string, since value sets differ between versions. */
export type Loose<T> = T extends string
  ? string
  : T extends (infer One)[]
    ? Loose<One>[]
    : T extends object
      ? { [Key in keyof T as Key extends CommonFields ? never : Key]: Loose<T[Key]> }
      : T;

/** Converts one native resource type to R4 and back. Fields that a converter does not name stay as they are. */
export type Converter = {
  native: string;
  r4: FhirResource["resourceType"];
  toR4(native: object): object;
  /** Absent for a type that we only read. */
  toNative?(r4: object): object;
};

/** The casts rely on the caller having checked `resourceType`. */
export const converter = <Native extends { resourceType: string }, R4 extends FhirResource>(
  native: Native["resourceType"],
  r4: R4["resourceType"],
  toR4: (native: Loose<Native>) => Loose<R4>,
  toNative?: (r4: Loose<R4>) => Loose<Native>,
): Converter => ({
  native,
  r4,
  toR4: (resource) => toR4(resource as Loose<Native>),
  ...(toNative && { toNative: (resource: object) => toNative(resource as Loose<R4>) }),
});

/** For elements that repeat in one version only. */
export const list = <T>(value: T | T[] | undefined): T[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

export const first = <T>(value: T | T[] | undefined): T | undefined => list(value)?.[0];

/** Replaces the resource type in a reference. */
export const retargetReference = <T extends { reference?: string | undefined }>(from: string, to: string, value: T): T =>
  value.reference === undefined
    ? value
    : { ...value, reference: value.reference.replace(new RegExp(`(^|/)${from}/(?=[^/]+(?:/_history/[^/]+)?$)`), `$1${to}/`) };
