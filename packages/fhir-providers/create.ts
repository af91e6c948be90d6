import type { FhirProvider, NewFhirProvider } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { create, keys, type FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { checkActive, checkAddresses } from "./addresses.ts";
import { asFhirProvider } from "./as-fhir-provider.ts";
import { keepCredentials } from "./credentials.ts";
import { storeOfOwner } from "./read-provider.ts";

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
    ...(await keepCredentials(id, input, ownerTenantId)),
    ownerTenantId,
    createdAt: ctx.clock().toISOString(),
    version: 1,
  };
  await storeOfOwner(ctx, ownerTenantId).commit(
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
