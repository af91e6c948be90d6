import type { FhirProvider, TenantFhirProvider } from "@vitaline/contract";

export const typeNames: Record<FhirProvider["providerType"], string> = {
  epic: "Epic",
  cerner: "Oracle Health (Cerner)",
  allscripts: "Allscripts (Veradigm)",
  nextgen: "NextGen",
  custom: "Custom",
};

/** How the platform shows a record system who it is, as a card says it. */
export const authName = (authMethod: TenantFhirProvider["authMethod"]): string => (authMethod === "oauth2" ? "OAuth 2.0" : "Certificate");

/** Of the last check; unknown before there was one. */
export const connectionLooks: Record<FhirProvider["connectionStatus"], { name: string; colorPalette: string }> = {
  healthy: { name: "Healthy", colorPalette: "green" },
  unhealthy: { name: "Unhealthy", colorPalette: "red" },
  unknown: { name: "Unknown", colorPalette: "gray" },
};

/** A version is R4 unless a record says otherwise. */
export const versionName = (fhirVersion: string | undefined): string => fhirVersion || "R4";
