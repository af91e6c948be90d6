import type { CodeableConcept, FhirResource } from "fhir/r4.js";
import { Refusal } from "../http/http.ts";
import { isResourceType, type Resource, type ResourceOf, type ResourceType } from "../store/resource.ts";
import { shapeCheck, type Shapes } from "./shape.ts";
import type { NativeResource, Surroundings, Version } from "./version.ts";

/** A type without extension elements, whose types differ between versions. */
export type Plain<T> = T extends (infer One)[]
  ? Plain<One>[]
  : T extends object
    ? { [K in keyof T as K extends `_${string}` | "extension" | "modifierExtension" | "contained" ? never : K]: Plain<T[K]> }
    : T;

/** Copies the named elements that are present. */
export function pick<T extends object, K extends keyof T>(from: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, K>;
}

export const first = <T>(list: T[] | undefined): T | undefined => list?.[0];
export const listOf = <T>(one: T | undefined): T[] | undefined => (one === undefined ? undefined : [one]);

export function compact<T extends object>(from: T): T {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as T;
}

/** The code of a status that is a concept in R4 and a code in older versions. */
export const codeOf = (concept: CodeableConcept | undefined): string | undefined => concept?.coding?.[0]?.code;

/** Maps a code by a table; unknown codes stay. */
export const mapCode = (code: string | undefined, table: Record<string, string>): string | undefined =>
  code === undefined ? undefined : (table[code] ?? code);

/** Throws a Refusal 422 for a code that the older version does not have. */
export function toR4Code<Code extends string>(code: string | undefined, table: Record<string, Code>, element: string): Code | undefined {
  if (code === undefined) return undefined;
  const known = Object.hasOwn(table, code) ? table[code] : undefined;
  if (known === undefined) throw new Refusal(422, "code-invalid", `${element} has a code that this version does not know`);
  return known;
}

const terminology = "http://terminology.hl7.org/CodeSystem/";

/** Before R4, HL7's code systems were under hl7.org/fhir. */
function systemBeforeR4(system: string): string {
  if (!system.startsWith(terminology)) return system;
  const name = system.slice(terminology.length);
  return `http://hl7.org/fhir/${name.replace(/^v([23])-/, "v$1/")}`;
}

const unmovedSystems = new Set(["administrative-gender", "address-use", "contact-point-use", "name-use", "sid", "resource-types"]);

function systemOfR4(system: string): string {
  const [, name = ""] = /^http:\/\/hl7\.org\/fhir\/((?:v[23]\/)?[A-Za-z0-9-]+)$/.exec(system) ?? [];
  return name === "" || unmovedSystems.has(name) ? system : `${terminology}${name.replace(/^v([23])\//, "v$1-")}`;
}

type Outward = { [T in ResourceType]?: (resource: ResourceOf<T>, around: Surroundings) => object };

interface Parts extends Pick<Version, "name" | "fhirVersion" | "mediaType" | "paramNames" | "joinedParams" | "sortsByModifier"> {
  /** A type without an entry does not exist in this version. */
  outward: Outward;
  renamed: Partial<Record<ResourceType, string>>;
  inward: Record<string, (native: never) => FhirResource>;
  shapes: Shapes;
}

export function olderVersion({ outward, renamed, inward, shapes, ...rest }: Parts): Version {
  const check = shapeCheck(shapes);
  const toNative = (resource: FhirResource, around: Surroundings): object => {
    const { resourceType: type } = resource;
    const translate = isResourceType(type)
      ? (outward[type] as ((one: FhirResource, around: Surroundings) => object) | undefined)
      : undefined;
    if (!translate) return resource;
    const native = translate(resource, around) as { contained?: FhirResource[] };
    return native.contained ? { ...native, contained: native.contained.map((one) => toNative(one, around)) } : native;
  };
  return {
    ...rest,
    typeName: (type) => (outward[type] ? (renamed[type] ?? type) : undefined),
    toNative,
    toR4(native: NativeResource) {
      const translate = inward[native.resourceType];
      if (!translate) throw new Refusal(405, "not-supported", `${native.resourceType} cannot be written here`);
      check(native.resourceType, native);
      return translate(native as never) as Resource;
    },
    systemToNative: systemBeforeR4,
    systemToR4: systemOfR4,
  };
}
