export { connectionFaults, networkFault, type ConnectionFault } from "./connection-test/connection-fault.ts";
export { runConnectionTest, type ConnectionTest, type ConnectionTestStep } from "./connection-test/connection-test.ts";
export {
  parseFhirVersion,
  parseStatement,
  toCapability,
  type CapabilityStore,
  type CapabilitySummary,
  type TypeSummary,
} from "./client/capability.ts";
export { createFhirClient } from "./client/client.ts";
export type { FhirServer } from "./client/connection.ts";
export type { JsonPatchOperation } from "./client/patch.ts";
export type { Capability, FhirClient, Interaction, ResourceType, TransactionEntry } from "./client/types.ts";
export {
  availableAlgorithms,
  jwkThumbprint,
  keyAlgorithms,
  selectAlgorithm,
  signWithKey,
  type AssertionAlgorithm,
  type RsaAlgorithm,
  type SignAssertion,
  type Signers,
} from "./auth/client-assertion.ts";
export { discover, forgetDiscovery } from "./auth/discovery.ts";
export { exchangeCode, refreshAccessToken, type GrantedToken } from "./auth/oauth-grant.ts";
export { hasResourceScopes, narrowScopes, parseScope, scopesCover } from "./auth/scopes.ts";
export { requestAccessToken, type AccessToken, type ClientRegistration } from "./auth/token.ts";
export type { FhirVersion } from "./versions/convert/version.ts";
export type { SearchParams } from "./versions/convert/search-rules.ts";
export { type CallOptions, type Circuit, type CircuitOutcome, type FhirContext, openCircuitError } from "./http/exchange.ts";
export { ehrError, type EhrErrorCode } from "./http/errors.ts";
export { singleFlight, type InFlight } from "./http/single-flight.ts";
