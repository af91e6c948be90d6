export {
  selectAlgorithm,
  availableAlgorithms,
  type AssertionAlgorithm,
  type RsaAlgorithm,
  type SignAssertion,
  type Signers,
  keyAlgorithms,
  signWithKey,
  jwkThumbprint,
} from "./auth/client-assertion.ts";
export {
  toCapability,
  parseStatement,
  parseFhirVersion,
  type CapabilityStore,
  type CapabilitySummary,
  type TypeSummary,
} from "./client/capability.ts";
export { createFhirClient } from "./client/client.ts";
export { ehrError, type EhrErrorCode } from "./http/errors.ts";
export type { FhirServer } from "./client/connection.ts";
export { exchangeCode, refreshAccessToken, type GrantedToken } from "./auth/oauth-grant.ts";
export { requestAccessToken, type AccessToken, type ClientRegistration } from "./auth/token.ts";
export type { Capability, FhirClient, Interaction, ResourceType, TransactionEntry } from "./client/types.ts";
export type { JsonPatchOperation } from "./client/patch.ts";
export type { SearchParams } from "./versions/convert/search-rules.ts";
export type { FhirVersion } from "./versions/convert/version.ts";
export type { CallOptions, FhirContext } from "./http/exchange.ts";
export { connectionFaults, networkFault, type ConnectionFault } from "./connection-test/connection-fault.ts";
export { discover, forgetDiscovery } from "./auth/discovery.ts";
export { narrowScopes, hasResourceScopes, parseScope, scopesCover } from "./auth/scopes.ts";
export { singleFlight, type InFlight } from "./http/single-flight.ts";
export { runConnectionTest, type ConnectionTestStep, type ConnectionTest } from "./connection-test/connection-test.ts";
