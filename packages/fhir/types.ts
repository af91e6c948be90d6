import type { Context } from "@vitaline/core";
import type { FhirResource } from "fhir/r4.js";

/** What a call to an EHR needs of its request: how long is left, and where to say how it went. */
export type FhirContext = Pick<Context, "clock" | "deadline" | "log">;

export type ResourceType = FhirResource["resourceType"];

export type Interaction = "read" | "search-type" | "create" | "update" | "patch";

/** What the server's CapabilityStatement says it can do. */
export type Capability = {
  supports(type: ResourceType, interaction: Interaction): boolean;
  /** Names of the search parameters of a type; empty when the server names none. */
  searchParams(type: ResourceType): readonly string[];
  /** Whether If-None-Exist works; a server without it creates duplicates in silence. */
  conditionalCreate(type: ResourceType): boolean;
};

export type CallOptions = {
  /** Ends the call early; a write that had left by then is `ehr_unknown_outcome`. */
  signal?: AbortSignal;
};

export type SearchParams = Record<string, string | string[]>;

/**
 * A FHIR R4 server, as one request sees it: every call ends within the request's deadline and throws AppError with an `ehr_` code.
 * `update<Patient>(…)` and the like name the resource that comes back.
 */
export type FhirClient = {
  /** Cached for an hour. */
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /**
   * All pages, each resource once, at most `maxResources` matches (100 unless told); resources brought by `_include` come after them.
   * What may describe a patient travels in the body of a POST, where the server takes that.
   */
  search<T extends FhirResource>(
    type: T["resourceType"],
    params: SearchParams,
    options?: CallOptions & { maxResources?: number },
  ): Promise<T[]>;
  /** The resource as the server stored it. `ifNoneExist` (a search query) is sent only to servers that promise to heed it. */
  create<T extends FhirResource>(resource: T, options?: CallOptions & { ifNoneExist?: string }): Promise<T>;
  /** Replaces the version that `ifMatch` (an ETag) names, by default the one in `resource.meta`; `ehr_conflict` when another stands there. */
  update<T extends FhirResource>(resource: T, options?: CallOptions & { ifMatch?: string }): Promise<T>;
};
