import type { FhirProvider } from "@vitaline/contract";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { asFhirProvider } from "./as-fhir-provider.ts";
import { readFhirProviders } from "./read-provider.ts";

/** All providers, oldest first. One read, and one of the names of the tenants that keep some of them. */
export async function listFhirProviders(ctx: PlatformContext): Promise<FhirProvider[]> {
  const providers = await readFhirProviders(ctx);
  const owned = await withTenantNames(
    ctx,
    providers.map((provider) => ({ ...provider, tenantId: provider.row.ownerTenantId })),
  );
  return owned.map(({ row, health, tenantName }) => asFhirProvider(row, health, tenantName || undefined));
}
