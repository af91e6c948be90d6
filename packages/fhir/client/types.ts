import type { FhirResource, Parameters } from "fhir/r4.js";
import type { CallOptions } from "../http/exchange.ts";
import type { FhirVersion } from "../versions/convert/version.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";

export type ResourceType = FhirResource["resourceType"];

export type Interaction = "read" | "search-type" | "create" | "update" | "patch";

/** One step of a transaction: a new resource, or one that replaces the version that `ifMatch` names. */
export type TransactionEntry = { create: FhirResource; ifNoneExist?: string } | { update: FhirResource; ifMatch?: string };

/** What the server's CapabilityStatement says it can do. */
export type Capability = {
  supports(type: ResourceType, interaction: Interaction): boolean;
  /** Names of the search parameters of a type; empty when the server names none. */
  searchParams(type: ResourceType): readonly string[];
  /** Whether If-None-Exist works; a server without it creates duplicates in silence. */
  conditionalCreate(type: ResourceType): boolean;
  /** Whether the server names an operation of a type, without its $: "match", "find", "book". */
  operation(type: ResourceType, name: string): boolean;
  /** Whether several changes can be made as one. */
  transaction: boolean;
  /** Name and version of the server's software, as far as it says them. */
  software?: string;
};

/**
 * A FHIR server, as one request sees it: every call ends within the request's deadline and throws AppError with an `ehr_` code.
 * Whatever version the server speaks, resources, types and search parameters are those of R4 here: the client translates.
 * `update<Patient>(…)` and the like name the resource that comes back.
 */
export type FhirClient = {
  fhirVersion: FhirVersion;
  /** As whoever shares it keeps it. */
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /**
   * All pages, each resource once, at most `maxResources` matches (100 unless told); resources brought by `_include` come after them.
   * What may describe a patient travels in the body of a POST, where the server takes that. `further`: it goes on where a search before
   * has ended, as a further page does.
   */
  search<T extends FhirResource>(
    type: T["resourceType"],
    params: SearchParams,
    options?: CallOptions & { maxResources?: number; further?: boolean },
  ): Promise<T[]>;
  /** The resource as the server stored it. `ifNoneExist` (a search query) is sent only to servers that promise to heed it. */
  create<T extends FhirResource>(resource: T, options?: CallOptions & { ifNoneExist?: string }): Promise<T>;
  /** Replaces the version that `ifMatch` (an ETag) names, by default the one in `resource.meta`; `ehr_conflict` when another stands there. */
  update<T extends FhirResource>(resource: T, options?: CallOptions & { ifMatch?: string }): Promise<T>;
  /**
   * Makes `after` of `before` (as it was read), in the way that the server offers: PUT, else JSON Patch, both only while the
   * version of `before` stands (`ehr_conflict` otherwise); `ehr_unsupported` for a server that offers neither.
   */
  change<T extends FhirResource>(before: T, after: T, options?: CallOptions): Promise<T>;
  /** Runs `POST [type]/$[name]`; what the operation answers, resource by resource (a Bundle's entries, else the one resource). */
  operation<T extends FhirResource>(
    type: ResourceType,
    name: string,
    parameters: Parameters,
    options?: CallOptions & { effect?: "read" | "write" },
  ): Promise<T[]>;
  /** All or nothing; the resources as they are stored, in the order of the entries. Every entry's own status is checked. */
  transaction(entries: readonly TransactionEntry[], options?: CallOptions): Promise<FhirResource[]>;
};
