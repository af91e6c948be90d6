import type { FhirProvider, FhirProviderChange, NewFhirProvider } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { parseScope } from "@vitaline/fhir";
import { create, type FhirHealthRow, type FhirProviderRow, keys, nextVersion, put, retryOnStale } from "@vitaline/store";
import type { EhrRegistryContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { withTenantNames } from "@vitaline/tenants";
import { currentHealth } from "../health/save-health.ts";
import { changesOrigin, checkActive, checkAddresses } from "../provider/addresses.ts";
import {
  clientAuthOf,
  grantOf,
  isAuthorized,
  requireSecretAgain,
  requireTokenUrlAgain,
  storeCredentials,
} from "../provider/credentials.ts";
import { ownerStore, readFhirProvider, readFhirProviders } from "../provider/provider-row.ts";

/** The provider as in the contract, without its secrets. */
export function asFhirProvider(row: FhirProviderRow, health?: FhirHealthRow, ownerTenantName?: string): FhirProvider {
  const { id, name, providerType, fhirVersion, baseUrl, clientId, scopes, isActive, createdAt, version = 1 } = row;
  return {
    ...{ id, name, providerType, fhirVersion, baseUrl, clientId, scopes, isActive, createdAt, version },
    ...accessOf(scopes),
    providerName: name,
    clientAuth: clientAuthOf(row),
    grant: grantOf(row),
    isAuthorized: isAuthorized(row),
    hasClientSecret: row.clientSecret !== undefined,
    hasPrivateKey: row.privateKey !== undefined,
    redirectUri: row.redirectUri ?? null,
    authUrl: row.authUrl ?? null,
    tokenUrl: row.tokenUrl ?? null,
    certificateData: row.certificateData ?? null,
    description: row.description ?? null,
    connectionStatus: currentHealth(row, health)?.status ?? "unknown",
    ownerTenantId: row.ownerTenantId ?? null,
    ownerTenantName: ownerTenantName ?? null,
  };
}

/** Create, update or delete on any type counts as "Read/Write". */
function accessOf(scopes: string): Pick<FhirProvider, "access" | "resourceCount"> {
  const known = scopes.split(" ").flatMap((scope) => parseScope(scope) ?? []);
  return {
    access: known.some(({ letters }) => /[cud]/.test(letters)) ? "Read/Write" : "Read Only",
    resourceCount: new Set(known.map(({ type }) => type)).size,
  };
}

/** All providers, oldest first. One Query, and one read of the owning tenants' names. */
export async function listFhirProviders(ctx: ScopedContext<"ehr" | "directory">): Promise<FhirProvider[]> {
  const providers = await readFhirProviders(ctx);
  const owned = await withTenantNames(
    ctx,
    providers.map((provider) => ({ ...provider, tenantId: provider.row.ownerTenantId })),
  );
  return owned.map(({ row, health, tenantName }) => asFhirProvider(row, health, tenantName || undefined));
}

/**
 * Registers a FHIR server of the platform or, with `ownerTenantId`, of a tenant. Secrets are stored in Secrets Manager; the row has their
 * versions. AppError `invalid_request` for an address that may not be called and for missing or mismatched credentials, `not_doable` for an
 * active provider with a placeholder in an address.
 */
export async function createFhirProvider(ctx: EhrRegistryContext, input: NewFhirProvider, ownerTenantId?: string): Promise<FhirProvider> {
  const { name, providerType, fhirVersion, clientId, scopes, grant, isActive, description } = input;
  const addresses = checkAddresses(input);
  checkActive(isActive, addresses);
  const id = newId(ctx.clock().getTime());
  const row: FhirProviderRow = {
    ...{ id, name, providerType, fhirVersion, clientId, scopes, grant, isActive, description, ...addresses },
    ...(await storeCredentials(id, input, ownerTenantId)),
    ownerTenantId,
    createdAt: ctx.clock().toISOString(),
    version: 1,
  };
  await ownerStore(ctx, ownerTenantId).commit(
    [create(keys.fhirProvider(id), row), ...(ownerTenantId === undefined ? [] : [create(keys.tenantFhirProvider(id), { id })])],
    {
      category: "configuration_change",
      action: "fhirProvider.create",
      resourceType: "FhirProvider",
      resourceId: id,
      detail: { providerType, fhirVersion, isActive },
    },
  );
  return asFhirProvider(row);
}

/**
 * Updates a provider; see FhirProviderChange for what an absent field means. With `ownerTenantId`, only that tenant's own providers exist.
 * Audited in the log of the tenant that owns it, else in the platform's. AppErrors as for createFhirProvider; also `not_found`,
 * `stale_version`, `invalid_request` for a new server without its secret or token URL entered again, and `not_doable` for another provider
 * type.
 */
export async function updateFhirProvider(
  ctx: EhrRegistryContext,
  id: string,
  change: FhirProviderChange,
  { ifMatch, ownerTenantId: ownedBy }: { ifMatch?: number | undefined; ownerTenantId?: string } = {},
): Promise<FhirProvider> {
  const addresses = checkAddresses(change);
  return retryOnStale(ifMatch, async () => {
    const row = await readFhirProvider(ctx, id, ownedBy);
    const { version, asRead } = nextVersion(row, ifMatch);
    if (change.providerType !== undefined && change.providerType !== row.providerType) throw typeChangeError();
    const { name, clientId, scopes, description } = change;
    const { fhirVersion = row.fhirVersion, isActive = row.isActive, grant = row.grant } = change;
    checkActive(isActive, addresses);
    requireSecretAgain(change, row, changesOrigin(row, addresses));
    const { providerType, ownerTenantId, createdAt, consentDigest } = row;
    const credentials = await storeCredentials(id, change, ownerTenantId, row);
    requireTokenUrlAgain(row, { ...addresses, ...credentials });
    const next: FhirProviderRow = {
      ...{ id, providerType, ownerTenantId, createdAt, consentDigest, version },
      ...{ name, fhirVersion, clientId, scopes, grant, isActive, description },
      ...addresses,
      ...credentials,
    };
    await ownerStore(ctx, ownerTenantId).commit([put(keys.fhirProvider(id), next, asRead)], {
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

const typeChangeError = (): AppError => {
  const sentence = "The provider type cannot change. Add another provider instead.";
  return new AppError("not_doable", sentence, { fields: { providerType: sentence } });
};
