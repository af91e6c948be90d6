import type { FhirResource } from "fhir/r4.js";
import { ehrError } from "../../http/errors.ts";
import type { Converter } from "./converter.ts";
import { convertSystems } from "./code-systems.ts";
import { namesInR4, type SearchParams, type SearchRules, type TranslatedSearch, translateSearch } from "./search-rules.ts";
import type { Resource } from "../../http/payload-schemas.ts";

/** One version of FHIR: how its servers say what we say in R4. */
export type Version = {
  fhirVersion: FhirVersion;
  /** What a body is sent and asked for as. */
  mediaType: string;
  nativeType(type: string): string;
  /** Whether a type is but a part of another one here, which can be read and not written. */
  isEmbedded(type: string): boolean;
  /** R4's names of the search parameters that a server names for a type. */
  searchNames(type: string, natives: readonly string[]): readonly string[];
  /** The native resource that holds the R4 one: type and id. */
  nativeLocation(type: string, id: string): { type: string; id: string };
  /** AppError `ehr_unsupported` for a type that is only read. */
  toNative(resource: FhirResource): object;
  /** What a native resource is in R4: one resource, or several that it holds; `wanted` is the type that was asked for. */
  toR4(native: Resource, wanted?: string): FhirResource[];
  /** `offered` tells the names of the search parameters that the server names for a native type. */
  translate(type: string, params: SearchParams, offered: (nativeType: string) => Promise<readonly string[]>): Promise<TranslatedSearch>;
};

type VersionDefinition = {
  fhirVersion: FhirVersion;
  mediaType: string;
  converters: readonly Converter[];
  search: SearchRules;
  /** R4 types that live within a resource of another type. */
  within?: { type: FhirResource["resourceType"]; native: string; idOf(id: string): string; taken(holder: object): FhirResource[] };
};

/** Contained resources do not nest, Bundles and Parameters hardly do; more is not FHIR. */
const maxNesting = 4;

type Nest = { contained?: unknown; entry?: unknown; parameter?: unknown; meta?: unknown };

/** A version by its parts: types are named and converted, also those inside others; what has no converter stays as it is. */
export function defineVersion({ fhirVersion, mediaType, converters, search, within }: VersionDefinition): Version {
  const byNative = new Map(converters.map((one) => [one.native, one]));
  const byR4 = new Map<string, Converter>(converters.map((one) => [one.r4, one]));

  const nativeType = (type: string): string => (type === within?.type ? within.native : (byR4.get(type)?.native ?? type));

  const convert = (resource: Resource, way: "toR4" | "toNative", depth: number): Resource => {
    if (depth > maxNesting) throw ehrError("ehr_invalid");
    const known = (way === "toR4" ? byNative : byR4).get(resource.resourceType);
    const convertOne = known?.[way];
    // What we never write is refused as such; within another record it is what it was read as, and stays so.
    if (known && !convertOne && depth === 0) throw ehrError("ehr_unsupported");
    const converted: Nest = convertOne?.(resource) ?? { ...resource };
    const inner = (one: unknown): unknown => (isResource(one) ? convert(one, way, depth + 1) : one);
    if (Array.isArray(converted.contained)) converted.contained = converted.contained.map(inner);
    if (Array.isArray(converted.entry)) converted.entry = converted.entry.map((one) => withResource(one, inner));
    if (Array.isArray(converted.parameter)) converted.parameter = converted.parameter.map((one) => withResource(one, inner));
    const type = known && convertOne ? (way === "toR4" ? known.r4 : known.native) : resource.resourceType;
    return { ...converted, resourceType: type };
  };

  return {
    fhirVersion,
    mediaType,
    nativeType,
    isEmbedded: (type) => type === within?.type,
    searchNames: (type, natives) => namesInR4(search, type, natives),
    nativeLocation: (type, id) => ({ type: nativeType(type), id: type === within?.type ? within.idOf(id) : id }),
    toNative: (resource) => convertSystems(convert(resource as unknown as Resource, "toNative", 0), "toNative"),
    toR4(native, wanted) {
      const converted = understood(() => convertSystems(convert(native, "toR4", 0), "toR4")) as unknown as FhirResource;
      if (wanted === undefined || wanted !== within?.type || native.resourceType !== within.native) return [converted];
      return [...understood(() => convertSystems(within.taken(native), "toR4")), converted];
    },
    translate: (type, params, offered) => translateSearch({ type, nativeType, rules: search, params, offered }),
  };
}

/** A server's resource that is not built as its version says is no answer. */
function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError) throw ehrError("ehr_invalid", { cause });
    throw cause;
  }
}

const isResource = (one: unknown): one is Resource =>
  typeof one === "object" && one !== null && "resourceType" in one && typeof one.resourceType === "string";

const withResource = (holder: unknown, inner: (one: unknown) => unknown): unknown =>
  typeof holder === "object" && holder !== null && "resource" in holder ? { ...holder, resource: inner(holder.resource) } : holder;

export type FhirVersion = "R4" | "STU3" | "DSTU2";
