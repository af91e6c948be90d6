import type { FhirResource } from "fhir/r4.js";
import { ehrError } from "../../http/errors.ts";
import type { Resource } from "../../http/payload-schemas.ts";
import { convertSystems } from "./code-systems.ts";
import type { Converter } from "./converter.ts";
import { r4SearchNames, type SearchParams, type SearchRules, type TranslatedSearch, translateSearch } from "./search-rules.ts";

export type FhirVersion = "R4" | "STU3" | "DSTU2";

/** Translates between R4 and one FHIR version, called native. */
export type VersionAdapter = {
  fhirVersion: FhirVersion;
  mediaType: string;
  nativeType(type: string): string;
  /** Whether an R4 type is part of another native resource, which can be read but not written. */
  isEmbedded(type: string): boolean;
  /** The R4 names for a server's native search parameters. */
  searchNames(type: string, natives: readonly string[]): readonly string[];
  nativeLocation(type: string, id: string): { type: string; id: string };
  /** AppError `ehr_unsupported` for a type that is only read. */
  toNative(resource: FhirResource): object;
  /** The R4 resource, last, after the embedded ones when `wanted` is an embedded type. AppError `ehr_invalid`. */
  toR4(native: Resource, wanted?: string): FhirResource[];
  /** `offered` returns the search parameters that the server lists for a native type. */
  translate(type: string, params: SearchParams, offered: (nativeType: string) => Promise<readonly string[]>): Promise<TranslatedSearch>;
};

type VersionDefinition = {
  fhirVersion: FhirVersion;
  mediaType: string;
  converters: readonly Converter[];
  search: SearchRules;
  /** An R4 type that is embedded in native resources of type `host`. */
  embedded?: { type: FhirResource["resourceType"]; host: string; hostId(id: string): string; extract(host: object): FhirResource[] };
};

/** Contained resources do not nest, and Bundles and Parameters hardly do. */
const maxNesting = 4;

type Nested = { contained?: unknown; entry?: unknown; parameter?: unknown; meta?: unknown };

/** Nested resources are converted too; a type without a converter stays as it is. */
export function defineVersion({ fhirVersion, mediaType, converters, search, embedded }: VersionDefinition): VersionAdapter {
  const byNative = new Map(converters.map((one) => [one.native, one]));
  const byR4 = new Map<string, Converter>(converters.map((one) => [one.r4, one]));

  const nativeType = (type: string): string => (type === embedded?.type ? embedded.host : (byR4.get(type)?.native ?? type));

  const convert = (resource: Resource, direction: "toR4" | "toNative", depth: number): Resource => {
    if (depth > maxNesting) throw ehrError("ehr_invalid");
    const known = (direction === "toR4" ? byNative : byR4).get(resource.resourceType);
    const convertOne = known?.[direction];
    // A read-only type cannot be written; nested in another resource it was read like this and stays.
    if (known && !convertOne && depth === 0) throw ehrError("ehr_unsupported");
    const converted: Nested = convertOne?.(resource) ?? { ...resource };
    const inner = (one: unknown): unknown => (isResource(one) ? convert(one, direction, depth + 1) : one);
    if (Array.isArray(converted.contained)) converted.contained = converted.contained.map(inner);
    if (Array.isArray(converted.entry)) converted.entry = converted.entry.map((one) => mapResource(one, inner));
    if (Array.isArray(converted.parameter)) converted.parameter = converted.parameter.map((one) => mapResource(one, inner));
    const type = known && convertOne ? (direction === "toR4" ? known.r4 : known.native) : resource.resourceType;
    return { ...converted, resourceType: type };
  };

  return {
    fhirVersion,
    mediaType,
    nativeType,
    isEmbedded: (type) => type === embedded?.type,
    searchNames: (type, natives) => r4SearchNames(search, type, natives),
    nativeLocation: (type, id) => ({ type: nativeType(type), id: type === embedded?.type ? embedded.hostId(id) : id }),
    toNative: (resource) => convertSystems(convert(resource as unknown as Resource, "toNative", 0), "toNative"),
    toR4(native, wanted) {
      const converted = rejectMalformed(() => convertSystems(convert(native, "toR4", 0), "toR4")) as unknown as FhirResource;
      if (wanted === undefined || wanted !== embedded?.type || native.resourceType !== embedded.host) return [converted];
      return [...rejectMalformed(() => convertSystems(embedded.extract(native), "toR4")), converted];
    },
    translate: (type, params, offered) => translateSearch({ type, nativeType, rules: search, params, offered }),
  };
}

/** A converter fails with a TypeError or RangeError on a resource that is not built as its version requires. */
function rejectMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError) throw ehrError("ehr_invalid", { cause });
    throw cause;
  }
}

const isResource = (one: unknown): one is Resource =>
  typeof one === "object" && one !== null && "resourceType" in one && typeof one.resourceType === "string";

const mapResource = (holder: unknown, map: (one: unknown) => unknown): unknown =>
  typeof holder === "object" && holder !== null && "resource" in holder ? { ...holder, resource: map(holder.resource) } : holder;
