import type { Abilities, Interaction, Personality } from "../personalities/personality.ts";
import type { ResourceType } from "../store/resource.ts";
import { namedTypes, nativeParams } from "./search-terms.ts";
import type { Version } from "../versions/version.ts";

interface ServerDescription {
  personality: Personality;
  version: Version;
  abilities: Abilities;
  baseUrl: string;
  tokenUrl: string;
  authUrl: string;
  now: () => Date;
}

export const createStatements = (told: ServerDescription) => ({
  statement: capabilityStatement(told),
  smartConfiguration: smartConfiguration(told),
});

function capabilityStatement(told: ServerDescription): object {
  const { personality, version, abilities, baseUrl, now } = told;
  const types = namedTypes(version).filter(
    (type) => abilities.interactions[type]?.length || abilities.operations.some((one) => one.type === type),
  );
  const older = version.name === "DSTU2";
  return {
    resourceType: older ? "Conformance" : "CapabilityStatement",
    status: "active",
    date: now().toISOString(),
    kind: "instance",
    software: personality.software,
    implementation: { description: "Generated test data, no real people", url: baseUrl },
    fhirVersion: version.fhirVersion,
    ...(version.name !== "R4" && { acceptUnknown: "no" }),
    format: [version.mediaType],
    ...(version.name === "R4" && offersPatch(abilities) && { patchFormat: ["application/json-patch+json"] }),
    rest: [
      {
        mode: "server",
        security: security(told),
        resource: types.map((type) => resourceCapability(told, type)),
        ...systemInteractions(told),
        ...(version.name !== "R4" && abilities.operations.length > 0 && { operation: abilities.operations.map(operationByReference) }),
      },
    ],
  };
}

const offersPatch = ({ interactions }: Abilities) => Object.values(interactions).some((list) => list.includes("patch"));

/** DSTU2 has its own code for batch support. */
function systemInteractions({ version, abilities: { transaction } }: ServerDescription): object {
  const codes = transaction ? (version.name === "DSTU2" ? ["transaction"] : ["transaction", "batch"]) : [];
  return {
    ...(version.name === "DSTU2" && { transactionMode: transaction ? "both" : "not-supported" }),
    ...(codes.length > 0 && { interaction: codes.map((code) => ({ code })) }),
  };
}

const operationByReference = ({ type, name }: Abilities["operations"][number]) => ({
  name,
  definition: { reference: definitionOf(type, name) },
});
const definitionOf = (type: string, name: string) => `http://hl7.org/fhir/OperationDefinition/${type}-${name}`;

const security = ({ tokenUrl, authUrl, version }: ServerDescription) => ({
  service: [
    {
      coding: [
        {
          system:
            version.name === "R4"
              ? "http://terminology.hl7.org/CodeSystem/restful-security-service"
              : "http://hl7.org/fhir/restful-security-service",
          code: "SMART-on-FHIR",
        },
      ],
    },
  ],
  extension: [
    {
      url: "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
      extension: [
        { url: "token", valueUri: tokenUrl },
        { url: "authorize", valueUri: authUrl },
      ],
    },
  ],
});

function resourceCapability({ version, abilities }: ServerDescription, type: ResourceType): object {
  const name = version.typeName(type);
  const interactions: readonly Interaction[] = abilities.interactions[type] ?? [];
  const params = interactions.includes("search-type") ? nativeParams(version, type) : [];
  const operations = abilities.operations.filter((one) => one.type === type);
  return {
    type: name,
    interaction: interactions.map((code) => ({ code })),
    versioning: interactions.includes("update") || interactions.includes("patch") ? "versioned-update" : "versioned",
    readHistory: false,
    updateCreate: false,
    conditionalCreate: abilities.conditionalCreate && interactions.includes("create"),
    conditionalUpdate: false,
    conditionalDelete: "not-supported",
    ...(params.length > 0 && {
      searchInclude: params.flatMap((one) => (one.type === "reference" && one.r4 !== undefined ? [`${name}:${one.name}`] : [])),
      searchParam: [{ name: "_id", type: "token" }, ...params.map((one) => ({ name: one.name, type: one.type }))],
    }),
    ...(version.name === "R4" &&
      operations.length > 0 && { operation: operations.map((one) => ({ name: one.name, definition: definitionOf(type, one.name) })) }),
  };
}

/** https://hl7.org/fhir/smart-app-launch/conformance.html */
const smartConfiguration = ({ tokenUrl, authUrl, personality, version, abilities }: ServerDescription) => ({
  token_endpoint: tokenUrl,
  authorization_endpoint: authUrl,
  grant_types_supported: ["client_credentials", "authorization_code", "refresh_token"],
  response_types_supported: ["code"],
  token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_basic", "client_secret_post"],
  token_endpoint_auth_signing_alg_values_supported: personality.algorithms,
  scopes_supported: [
    ...(personality.wildcardScopes ? ["system/*.rs"] : []),
    ...namedTypes(version).flatMap((type) => {
      const rights = rightsOf(abilities.interactions[type] ?? []);
      return rights ? [`system/${version.typeName(type)}.${rights}`] : [];
    }),
    "offline_access",
  ],
  code_challenge_methods_supported: ["S256"],
  capabilities: [
    "client-confidential-asymmetric",
    "client-confidential-symmetric",
    "launch-standalone",
    "permission-offline",
    "permission-v1",
    "permission-v2",
  ],
});

const rightsOf = (interactions: readonly Interaction[]): string =>
  [["c", ["create"]] as const, ["r", ["read"]] as const, ["u", ["update", "patch"]] as const, ["s", ["search-type"]] as const]
    .filter(([, wanted]) => wanted.some((one) => interactions.includes(one)))
    .map(([letter]) => letter)
    .join("");
