/** Below this name lie the client secrets of EHRs; functions make them at run time. */
export const fhirSecretPrefix = (stage: string): string => `vitaline/${stage}/fhir/`;
