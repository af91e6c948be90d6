import type { FhirProvider, FhirProviderChange } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keys, nextVersion, onFreshRead, put, type FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { checkActive, checkAddresses, leadElsewhere } from "./addresses.ts";
import { asFhirProvider } from "./as-fhir-provider.ts";
import { checkSecretStays, checkTokensStay, keepCredentials } from "./credentials.ts";
import { readFhirProvider, storeOfOwner } from "./read-provider.ts";

/**
 * Replaces what a provider says; see FhirProviderChange for what stays when it is absent. With `keptBy`, only that tenant's own
 * providers exist. Audited in the log of the tenant that keeps it, else in the platform's. AppError as for creation; also
 * `invalid_request` for another server without its client secret or its own token address, `not_found`, `stale_version`, and `not_doable` for another type.
 */
export async function updateFhirProvider(
  ctx: PlatformContext,
  id: string,
  change: FhirProviderChange,
  { ifMatch, keptBy }: { ifMatch?: number | undefined; keptBy?: string } = {},
): Promise<FhirProvider> {
  const addresses = checkAddresses(change);
  return onFreshRead(ifMatch, async () => {
    const row = await readFhirProvider(ctx, id, keptBy);
    const { version, asRead } = nextVersion(row, ifMatch);
    if (change.providerType !== undefined && change.providerType !== row.providerType) throw typeIsFixed();
    const { name, clientId, scopes, description } = change;
    const { fhirVersion = row.fhirVersion, isActive = row.isActive, grant = row.grant } = change;
    checkActive(isActive, addresses);
    checkSecretStays(change, row, leadElsewhere(row, addresses));
    const { providerType, ownerTenantId, createdAt, authorizedFor } = row;
    const credentials = await keepCredentials(id, change, ownerTenantId, row);
    checkTokensStay(row, { ...addresses, ...credentials });
    const next: FhirProviderRow = {
      ...{ id, providerType, ownerTenantId, createdAt, authorizedFor, version },
      ...{ name, fhirVersion, clientId, scopes, grant, isActive, description },
      ...addresses,
      ...credentials,
    };
    await storeOfOwner(ctx, ownerTenantId).commit([put(keys.fhirProvider(id), next, asRead)], {
      category: "configuration_change",
      action: "fhirProvider.update",
      resourceType: "FhirProvider",
      resourceId: id,
      detail: {
        fhirVersion,
        isActive,
        clientSecretChanged: credentials.clientSecret?.versionId !== row.clientSecret?.versionId,
        privateKeyChanged: credentials.privateKey?.versionId !== row.privateKey?.versionId,
      },
    });
    const health = await ctx.platform.get(keys.fhirHealth(id));
    return asFhirProvider(next, health);
  });
}

const typeIsFixed = (): AppError => {
  const sentence = "The provider type cannot change. Add another provider instead.";
  return new AppError("not_doable", sentence, { fields: { providerType: sentence } });
};
