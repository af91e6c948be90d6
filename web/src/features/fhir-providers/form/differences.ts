import type { FhirProvider } from "@vitaline/contract";
import { type ProviderValues, valuesOf } from "./provider-values.ts";

const labels: Partial<Record<keyof ProviderValues, string>> = {
  name: "name",
  fhirVersion: "FHIR version",
  baseUrl: "base URL",
  clientId: "client ID",
  clientAuth: "client authentication",
  grant: "grant",
  scopes: "scopes",
  isActive: "whether it is enabled",
  redirectUri: "redirect URI",
  authUrl: "Auth URL",
  tokenUrl: "Token URL",
  certificateData: "certificate",
  description: "description",
};

/** Labels of the changed fields; changes of secrets are not visible. */
export const differences = (before: FhirProvider, after: FhirProvider): string[] => {
  const [then, now] = [valuesOf(before), valuesOf(after)];
  return Object.entries(labels).flatMap(([field, label]) =>
    then[field as keyof ProviderValues] === now[field as keyof ProviderValues] ? [] : [label],
  );
};
