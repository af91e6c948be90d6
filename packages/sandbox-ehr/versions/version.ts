import type { FhirResource } from "fhir/r4.js";
import type { Resource, ResourceType } from "../store/resource.ts";

export type FhirVersion = "R4" | "STU3" | "DSTU2";

export type NativeResource = { resourceType: string; id?: string; [element: string]: unknown };

export type ParamName = string | { name: string; codes: Record<string, string> };
export type ParamNames = { [T in ResourceType]?: Record<string, ParamName | null> };

export interface Surroundings {
  all<T extends ResourceType>(type: T): Extract<Resource, { resourceType: T }>[];
}

/** One version of FHIR. The sandbox stores R4 and translates at the edge. */
export interface Version {
  name: FhirVersion;
  fhirVersion: string;
  mediaType: string;
  typeName(type: ResourceType): string | undefined;
  paramNames: ParamNames;
  /** Parameters that search another type: [type, R4 parameter, reference back]. */
  joinedParams: { [T in ResourceType]?: Record<string, [type: ResourceType, param: string, back: string]> };
  /** DSTU2 writes "_sort:desc=date" for "_sort=-date". */
  sortsByModifier: boolean;
  toNative(resource: FhirResource, around: Surroundings): object;
  /** Throws a Refusal 400 or 422 for content that this version does not know. */
  toR4(native: NativeResource): Resource;
  systemToNative(system: string): string;
  systemToR4(system: string): string;
}
