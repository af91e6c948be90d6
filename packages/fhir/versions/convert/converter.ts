import type { FhirResource } from "fhir/r4.js";

/** What every version of FHIR holds alike and where it is: it is crossVersionExtension over as it stands. */
type CarriedOver = `_${string}` | "resourceType" | "extension" | "modifierExtension" | "contained" | "meta";

/** A FHIR type as a converter sees it: without what is crossVersionExtension over, and with codes as text, since versions differ in their lists. */
export type Loose<T> = T extends string
  ? string
  : T extends (infer One)[]
    ? Loose<One>[]
    : T extends object
      ? { [Key in keyof T as Key extends CarriedOver ? never : Key]: Loose<T[Key]> }
      : T;

type AnyNative = { resourceType: string };

/** A resource type of one FHIR version and what it is in R4, both ways. Fields that a converter does not name stay as they are. */
export type Converter = {
  native: string;
  r4: FhirResource["resourceType"];
  toR4(native: object): object;
  /** Of what we write; a type without it is only read. */
  toNative?(r4: object): object;
};

/** The casts state that what is converted is of the named types; who calls has checked `resourceType`. */
export const converter = <Native extends AnyNative, R4 extends FhirResource>(
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

/** One or several as several: versions differ in what may repeat. */
export const list = <T>(value: T | T[] | undefined): T[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

/** The one of several that a version has room for. */
export const first = <T>(value: T | T[] | undefined): T | undefined => list(value)?.[0];

type Reference = { reference?: string | undefined };

/** A reference whose target is called otherwise in the other version. */
export const retargetReference = <T extends Reference>(from: string, to: string, value: T): T =>
  value.reference === undefined
    ? value
    : { ...value, reference: value.reference.replace(new RegExp(`(^|/)${from}/(?=[^/]+(?:/_history/[^/]+)?$)`), `$1${to}/`) };
