import type { CapabilityStatement, CapabilityStatementRestResourceInteraction } from "fhir/r4.js";
import { resourceTypes, type ResourceType } from "./resource.ts";
import { supportedScopes } from "./scopes.ts";
import { searchParams } from "./search-params.ts";
import { assertionAlgorithms } from "./token.ts";

/** These may be created and updated; all others are read only. */
export const writableTypes: readonly ResourceType[] = ["Patient", "Appointment"];

type Interaction = CapabilityStatementRestResourceInteraction["code"];

/** Says exactly what this server does. */
export function capabilityStatement(baseUrl: string, tokenUrl: string, startedAt: Date): CapabilityStatement {
  return {
    resourceType: "CapabilityStatement",
    status: "active",
    date: startedAt.toISOString(),
    kind: "instance",
    software: { name: "Vitaline sandbox EHR" },
    implementation: { description: "Generated test data, no real people", url: baseUrl },
    fhirVersion: "4.0.1",
    format: ["application/fhir+json"],
    rest: [{ mode: "server", security: security(tokenUrl), resource: resourceTypes.map(resourceCapability) }],
  };
}

const security = (tokenUrl: string) => ({
  service: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/restful-security-service", code: "SMART-on-FHIR" }] }],
  extension: [
    {
      url: "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
      extension: [{ url: "token", valueUri: tokenUrl }],
    },
  ],
});

function resourceCapability(type: ResourceType) {
  const writable = writableTypes.includes(type);
  const params = Object.entries(searchParams[type]).map(([name, { type: kind }]) => ({ name, type: kind }));
  const interactions: Interaction[] = writable ? ["read", "search-type", "create", "update"] : ["read", "search-type"];
  return {
    type,
    interaction: interactions.map((code) => ({ code })),
    versioning: "versioned-update" as const,
    readHistory: false,
    updateCreate: false,
    conditionalCreate: writable,
    conditionalUpdate: false,
    conditionalDelete: "not-supported" as const,
    searchInclude: params.filter(({ type: kind }) => kind === "reference").map(({ name }) => `${type}:${name}`),
    searchParam: [{ name: "_id", type: "token" as const }, ...params],
  };
}

/** https://hl7.org/fhir/smart-app-launch/conformance.html */
export const smartConfiguration = (tokenUrl: string) => ({
  token_endpoint: tokenUrl,
  grant_types_supported: ["client_credentials"],
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  scopes_supported: supportedScopes,
  code_challenge_methods_supported: ["S256"],
  capabilities: ["client-confidential-asymmetric", "permission-v1", "permission-v2"],
});
