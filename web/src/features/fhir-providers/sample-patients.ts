import type { FhirProvider } from "@vitaline/contract";

/**
 * An id to begin a test with: of a patient in a vendor's public sandbox where it publishes one, else the one that FHIR's own
 * examples bear. None of these people exist.
 */
const samples: Partial<Record<FhirProvider["providerType"], string>> = {
  epic: "erXuFYUfucBZaryVksYEcMg3",
  cerner: "12724066",
};

export const samplePatientId = (providerType: FhirProvider["providerType"] | undefined): string =>
  (providerType && samples[providerType]) ?? "example";
