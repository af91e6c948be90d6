/** Below this name lie the client secrets of EHRs; functions make them at run time. */
export const fhirSecretPrefix = (stage: string): string => `vitaline/${stage}/fhir/`;

/** What a provider's refresh token is called below the prefix and the provider's id; Secrets Manager adds six letters to a secret's ARN. */
export const refreshTokenName = "refresh-token";
