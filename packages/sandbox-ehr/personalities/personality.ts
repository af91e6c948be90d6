import type { OperationOutcome } from "fhir/r4.js";
import type { Call, Refusal, Reply } from "../http/http.ts";
import type { Resource, ResourceType } from "../store/resource.ts";
import type { Search } from "../search/search.ts";
import type { View } from "../store/store.ts";
import type { FhirVersion } from "../versions/version.ts";

const idPattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,46}$/;

/** Long, opaque, case-sensitive ids as at Epic: the sandbox's id in another alphabet. */
export const epicIds = {
  encode: (id: string): string => (idPattern.test(id) ? `e${Buffer.from(id).toString("base64url").replaceAll("_", ".")}` : id),
  /** Also accepts the sandbox's own ids, which people copy from its page. */
  decode(id: string): string {
    const plain = Buffer.from(id.slice(1).replaceAll(".", "_"), "base64url").toString();
    return id.startsWith("e") && epicIds.encode(plain) === id ? plain : id;
  },
};

export type Interaction = "read" | "search-type" | "create" | "update" | "patch";
export type Operation = { type: ResourceType; name: "match" | "find" | "book" };

/** Source of the capability statement; everything else is refused (405). */
export interface Abilities {
  interactions: Partial<Record<ResourceType, readonly Interaction[]>>;
  operations: readonly Operation[];
  transaction: boolean;
  conditionalCreate: boolean;
}

export interface FhirRequest {
  version: FhirVersion;
  interaction: Interaction | "operation";
  type: ResourceType;
  params: URLSearchParams;
  resource?: Resource;
  call: Call;
}

export interface Ids {
  encode(id: string): string;
  decode(id: string): string;
}

export type PersonalityName = "plain" | "readonly" | "epic-like" | "cerner-like" | "hapi-like";

export interface Personality {
  name: PersonalityName;
  software: { name: string; version: string };
  vendor: "custom" | "epic" | "cerner";
  summary: string;
  paths: Partial<Record<FhirVersion, string>>;
  tokenPath: string;
  algorithms: readonly ("RS256" | "RS384" | "ES384")[];
  wildcardScopes: boolean;
  abilities(version: FhirVersion): Abilities;
  keepsSlotsFree?: boolean;
  /** Records that only this personality's servers have, or have in another form. */
  records?(view: View, now: Date, seed: number): Resource[];
  tenant?(path: string): Refusal | undefined;
  ids?: Ids;
  check?(request: FhirRequest, store: View): void;
  search?(request: FhirRequest, server: { store: View; search: Search }): Reply | undefined;
  reply?(request: FhirRequest, reply: Reply): Reply;
  refuse?(refusal: Refusal): Refusal;
  outcome?(refusal: Refusal): OperationOutcome;
}
