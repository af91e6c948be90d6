import type { FhirProvider, TenantFhirProvider } from "@vitaline/contract";
import { hasWords } from "../../lib/format/text.ts";

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

/** How many scopes a provider asks for. */
export const scopeCount = (scopes: string): number => scopes.split(/\s+/).filter(Boolean).length;

/** How many there are of each type that there are any of, in the types' usual order. */
export const typeCounts = (providers: readonly Pick<FhirProvider, "providerType">[]): { name: string; count: number }[] =>
  Object.entries(typeNames).flatMap(([type, name]) => {
    const count = providers.filter(({ providerType }) => providerType === type).length;
    return count === 0 ? [] : [{ name, count }];
  });

/** Those with all words of what was typed in their name, type, address or owner; all of them where nothing was. */
export const matching = <One extends Pick<FhirProvider, "name" | "providerType" | "baseUrl" | "ownerTenantName">>(
  providers: readonly One[],
  typed: string,
): readonly One[] =>
  providers.filter(({ name, providerType, baseUrl, ownerTenantName }) =>
    hasWords([name, typeNames[providerType], baseUrl, ownerTenantName], typed),
  );
