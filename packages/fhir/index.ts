export type { AssertionAlgorithm, SignAssertion } from "./assertion.ts";
export { createFhirClient } from "./client.ts";
export { ehrError, type EhrErrorCode } from "./errors.ts";
export type { FhirServer } from "./send.ts";
export { requestAccessToken, type AccessToken, type ClientRegistration } from "./token.ts";
export type { CallOptions, Capability, FhirClient, FhirContext, Interaction, ResourceType, SearchParams } from "./types.ts";
