export { algorithmFor, heldAlgorithms, type AssertionAlgorithm, type RsaAlgorithm, type SignAssertion, type Signers } from "./assertion.ts";
export { capabilityFrom, statementOf, versionSpoken, type CapabilityStore, type StatedCapability, type StatedType } from "./capability.ts";
export { createFhirClient } from "./client.ts";
export { ehrError, type EhrErrorCode } from "./errors.ts";
export type { FhirServer } from "./send.ts";
export { exchangeCode, refreshAccessToken, type GrantedToken } from "./signed-in.ts";
export { algorithmsOf, signWithKey, thumbprintOf } from "./sign-with-key.ts";
export { requestAccessToken, type AccessToken, type ClientRegistration } from "./token.ts";
export type {
  CallOptions,
  Capability,
  FhirClient,
  FhirContext,
  FhirVersion,
  Interaction,
  JsonPatchOperation,
  ResourceType,
  SearchParams,
  TransactionEntry,
} from "./types.ts";
export { connectionFaults, reachFault, type ConnectionFault } from "./connection-fault.ts";
export { discover, forgetDiscovery } from "./discovery.ts";
export { narrowScopes } from "./narrow-scopes.ts";
export { inOneFlight, type Flights } from "./one-flight.ts";
export { namesResources, readScope, scopesCover } from "./scopes.ts";
export { tryConnection, type ConnectionStep, type ConnectionTrial } from "./try-connection.ts";
