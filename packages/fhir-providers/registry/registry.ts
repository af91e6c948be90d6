import type { FhirProvider, FhirProviderChange, NewFhirProvider } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { parseScope } from "@vitaline/fhir";
import { create, type FhirHealthRow, type FhirProviderRow, keys, nextVersion, onFreshRead, put } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { healthNow } from "../health/save-health.ts";
import { changesOrigin, checkActive, checkAddresses } from "../provider/addresses.ts";
import { grantOf, isAuthorized } from "../provider/client-registration.ts";
import { clientAuthOf, requireSecretAgain, requireTokenUrlAgain, storeCredentials } from "../provider/credentials.ts";
import { ownerStore, readFhirProvider, readFhirProviders } from "../provider/provider-row.ts";

/** A provider as administrators see it: of its secrets only that there are some. */
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
    connectionStatus: healthNow(row, health)?.status ?? "unknown",
    ownerTenantId: row.ownerTenantId ?? null,
    ownerTenantName: ownerTenantName ?? null,
  };
}

/** What the saved scopes allow: a change is any of create, update and delete, in either of SMART's spellings. */
function accessOf(scopes: string): Pick<FhirProvider, "access" | "resourceCount"> {
  const known = scopes.split(" ").flatMap((scope) => parseScope(scope) ?? []);
  return {
    access: known.some(({ letters }) => /[cud]/.test(letters)) ? "Read/Write" : "Read Only",
    resourceCount: new Set(known.map(({ type }) => type)).size,
  };
}

/** All providers, oldest first. One read, and one of the names of the tenants that keep some of them. */
export async function listFhirProviders(ctx: PlatformContext): Promise<FhirProvider[]> {
  const providers = await readFhirProviders(ctx);
  const owned = await withTenantNames(
    ctx,
    providers.map((provider) => ({ ...provider, tenantId: provider.row.ownerTenantId })),
  );
  return owned.map(({ row, health, tenantName }) => asFhirProvider(row, health, tenantName || undefined));
}

/**
 * An EHR's FHIR server, kept by the platform or by one tenant. Secrets go into Secrets Manager and the row pins their versions; how
 * `clientAuth` follows from what is given, credentials.ts says. AppError `invalid_request` for an address that may not be called
 * and for missing or mismatched credentials, `not_doable` for an active one with a placeholder in an address.
 */
export async function createFhirProvider(ctx: PlatformContext, input: NewFhirProvider, ownerTenantId?: string): Promise<FhirProvider> {
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
    requireSecretAgain(change, row, changesOrigin(row, addresses));
    const { providerType, ownerTenantId, createdAt, authorizedFor } = row;
    const credentials = await storeCredentials(id, change, ownerTenantId, row);
    requireTokenUrlAgain(row, { ...addresses, ...credentials });
    const next: FhirProviderRow = {
      ...{ id, providerType, ownerTenantId, createdAt, authorizedFor, version },
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

const typeIsFixed = (): AppError => {
  const sentence = "The provider type cannot change. Add another provider instead.";
  return new AppError("not_doable", sentence, { fields: { providerType: sentence } });
};
