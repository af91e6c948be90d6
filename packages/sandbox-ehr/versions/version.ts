import type { FhirResource } from "fhir/r4.js";
import type { Resource, ResourceType } from "../store/resource.ts";

export type FhirVersion = "R4" | "STU3" | "DSTU2";

/** A resource as a version of FHIR writes it, before anything is known of it. */
export type NativeResource = { resourceType: string; id?: string; [element: string]: unknown };

/** How a search parameter is called here, and how its codes are, by R4's. */
export type ParamName = string | { name: string; codes: Record<string, string> };
/** Parameters of R4 that are called otherwise here, or (null) do not exist. */
export type ParamNames = { [T in ResourceType]?: Record<string, ParamName | null> };

/** What other resources have to say about one that is written out. */
export interface Surroundings {
  all<T extends ResourceType>(type: T): Extract<Resource, { resourceType: T }>[];
}

/** One version of FHIR: everything inside the sandbox is R4, and this is how it is said outside. */
export interface Version {
  name: FhirVersion;
  /** As a capability statement gives it. */
  fhirVersion: string;
  mediaType: string;
  /** What a type is called here; undefined where this version has none. */
  typeName(type: ResourceType): string | undefined;
  paramNames: ParamNames;
  /** Parameters of a type that look at another one: [type, R4 parameter, its reference back]. */
  joinedParams: { [T in ResourceType]?: Record<string, [type: ResourceType, param: string, back: string]> };
  /** "_sort=-date", or as DSTU2 had it "_sort:desc=date". */
  sortsByModifier: boolean;
  toNative(resource: FhirResource, around: Surroundings): object;
  /** Refuses (400, 422) what this version does not know. */
  toR4(native: NativeResource): Resource;
  /** Names of code systems as this version writes them, and back. */
  systemToNative(system: string): string;
  systemToR4(system: string): string;
}
