import type { FhirProvider } from "@vitaline/contract";
import { hasWords } from "../../lib/format/text.ts";
import { typeNames } from "./provider-names.ts";

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
