import type { FhirResource, Parameters } from "fhir/r4.js";
import type { CallOptions } from "../http/exchange.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";
import type { FhirVersion } from "../versions/convert/version.ts";

export type ResourceType = FhirResource["resourceType"];

export type Interaction = "read" | "search-type" | "create" | "update" | "patch";

/** `ifMatch`: the version to replace, as an ETag. */
export type TransactionEntry = { create: FhirResource; ifNoneExist?: string } | { update: FhirResource; ifMatch?: string };

export type Capability = {
  supports(type: ResourceType, interaction: Interaction): boolean;
  /** Empty when the server lists none. */
  searchParams(type: ResourceType): readonly string[];
  /** Whether If-None-Exist is honored; a server without it silently creates duplicates. */
  conditionalCreate(type: ResourceType): boolean;
  /** `name` without the $: "match", "find", "book". */
  operation(type: ResourceType, name: string): boolean;
  transaction: boolean;
  software?: string;
};

/**
 * A client of one FHIR server for one request. Resources, types and search parameters are R4 for a server of any version. Every call
 * ends within the request's deadline and throws AppError `ehr_…`.
 */
export type FhirClient = {
  fhirVersion: FhirVersion;
  /** Cached, see CapabilityStore. */
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /**
   * All pages, each resource once: at most `maxResources` matches (default 100), then the included resources. Searches that may identify a
   * patient are sent as POST, where the server supports it. `logAsRepeat`: logs the search as a later page of a previous one.
   */
  search<T extends FhirResource>(
    type: T["resourceType"],
    params: SearchParams,
    options?: CallOptions & { maxResources?: number; logAsRepeat?: boolean },
  ): Promise<T[]>;
  /** Returns the stored resource. `ifNoneExist` (a search query) is sent only to servers that support it. */
  create<T extends FhirResource>(resource: T, options?: CallOptions & { ifNoneExist?: string }): Promise<T>;
  /** Replaces the version `ifMatch` (an ETag), by default that of `resource.meta`; `ehr_conflict` when the server has another. */
  update<T extends FhirResource>(resource: T, options?: CallOptions & { ifMatch?: string }): Promise<T>;
  /**
   * Changes `before` (as it was read) to `after` by PUT, else JSON Patch, if the version of `before` is still current (`ehr_conflict`).
   * `ehr_unsupported` for a server that supports neither.
   */
  change<T extends FhirResource>(before: T, after: T, options?: CallOptions): Promise<T>;
  /** `POST [type]/$[name]`. Returns the resources of the response Bundle, else the single resource. */
  operation<T extends FhirResource>(
    type: ResourceType,
    name: string,
    parameters: Parameters,
    options?: CallOptions & { effect?: "read" | "write" },
  ): Promise<T[]>;
  /** All or nothing. Returns the stored resources in the order of the entries; each entry's status is checked. */
  transaction(entries: readonly TransactionEntry[], options?: CallOptions): Promise<FhirResource[]>;
};
