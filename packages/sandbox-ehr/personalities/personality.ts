import type { OperationOutcome } from "fhir/r4.js";
import type { Call, Refusal, Reply } from "../http/http.ts";
import type { Resource, ResourceType } from "../store/resource.ts";
import type { Search } from "../search/search.ts";
import type { View } from "../store/store.ts";
import type { FhirVersion } from "../versions/version.ts";

const idPattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,46}$/;

/** Ids as a client of an Epic server knows them: long, opaque, told apart by case. They say the sandbox's own id in another alphabet. */
export const epicIds = {
  encode: (id: string): string => (idPattern.test(id) ? `e${Buffer.from(id).toString("base64url").replaceAll("_", ".")}` : id),
  /** The sandbox's own ids are understood, too: people copy them from its page. */
  decode(id: string): string {
    const plain = Buffer.from(id.slice(1).replaceAll(".", "_"), "base64url").toString();
    return id.startsWith("e") && epicIds.encode(plain) === id ? plain : id;
  },
};

export type Interaction = "read" | "search-type" | "create" | "update" | "patch";
export type Operation = { type: ResourceType; name: "match" | "find" | "book" };

/** What one server can do; its capability statement is printed from this, and what is not in here is refused (405). */
export interface Abilities {
  interactions: Partial<Record<ResourceType, readonly Interaction[]>>;
  operations: readonly Operation[];
  transaction: boolean;
  conditionalCreate: boolean;
}

/** A request on its way in, already said in R4. */
export interface FhirRequest {
  version: FhirVersion;
  interaction: Interaction | "operation";
  type: ResourceType;
  /** Of a search. */
  params: URLSearchParams;
  /** What is to be stored. */
  resource?: Resource;
  call: Call;
}

/** Ids as clients see them, and as the store keeps them. */
export interface Ids {
  encode(id: string): string;
  decode(id: string): string;
}

export type PersonalityName = "plain" | "readonly" | "epic-like" | "cerner-like" | "hapi-like";

/** A kind of EHR: where its servers are, what they can do and what is odd about them. */
export interface Personality {
  name: PersonalityName;
  software: { name: string; version: string };
  /** As what a platform registers it. */
  vendor: "custom" | "epic" | "cerner";
  /** What the page says of it. */
  summary: string;
  /** Address of each version, relative to the origin. */
  paths: Partial<Record<FhirVersion, string>>;
  tokenPath: string;
  /** What client assertions may be signed with. */
  algorithms: readonly ("RS256" | "RS384" | "ES384")[];
  wildcardScopes: boolean;
  abilities(version: FhirVersion): Abilities;
  /** A booking leaves its slot free, for anybody else to book, too. */
  keepsSlotsFree?: boolean;
  /** Records that only its servers have, or have otherwise. */
  records?(view: View, now: Date, seed: number): Resource[];
  /** Refuses what lies under the server's address and yet belongs to nobody. */
  tenant?(path: string): Refusal | undefined;
  /** Ids as clients see them. */
  ids?: Ids;
  /** Refuses what other servers would take. */
  check?(request: FhirRequest, store: View): void;
  /** Searches its own way; undefined leaves it to the common one. */
  search?(request: FhirRequest, server: { store: View; search: Search }): Reply | undefined;
  /** Changes an answer, still said in R4. */
  reply?(request: FhirRequest, reply: Reply): Reply;
  /** Refuses in its own way. */
  refuse?(refusal: Refusal): Refusal;
  outcome?(refusal: Refusal): OperationOutcome;
}
