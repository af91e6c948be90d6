import type { FhirProvider, TenantFhirProvider } from "@vitaline/contract";
import { hasWords } from "../../lib/format/labels.ts";

export const typeNames: Record<FhirProvider["providerType"], string> = {
  epic: "Epic",
  cerner: "Oracle Health (Cerner)",
  allscripts: "Allscripts (Veradigm)",
  nextgen: "NextGen",
  custom: "Custom",
};

export const authMethodName = (authMethod: TenantFhirProvider["authMethod"]): string =>
  authMethod === "oauth2" ? "OAuth 2.0" : "Certificate";

export const connectionStatuses: Record<FhirProvider["connectionStatus"], { name: string; colorPalette: string }> = {
  healthy: { name: "Healthy", colorPalette: "green" },
  unhealthy: { name: "Unhealthy", colorPalette: "red" },
  unknown: { name: "Unknown", colorPalette: "gray" },
};

export const versionName = (fhirVersion: string | undefined): string => fhirVersion || "R4";

export const scopeCount = (scopes: string): number => scopes.split(/\s+/).filter(Boolean).length;

/** In the order of `typeNames`, without types that have no provider. */
export const typeCounts = (providers: readonly Pick<FhirProvider, "providerType">[]): { name: string; count: number }[] =>
  Object.entries(typeNames).flatMap(([type, name]) => {
    const count = providers.filter(({ providerType }) => providerType === type).length;
    return count === 0 ? [] : [{ name, count }];
  });

export const filterProviders = <One extends Pick<FhirProvider, "name" | "providerType" | "baseUrl" | "ownerTenantName">>(
  providers: readonly One[],
  typed: string,
): readonly One[] =>
  providers.filter(({ name, providerType, baseUrl, ownerTenantName }) =>
    hasWords([name, typeNames[providerType], baseUrl, ownerTenantName], typed),
  );
