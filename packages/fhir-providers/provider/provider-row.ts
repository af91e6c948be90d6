import { notFound } from "@vitaline/core";
import { type FhirHealthRow, type FhirProviderRow, keys, rowsOf } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";

/** With `ownerTenantId`, only that tenant's own providers exist. AppError `not_found`. */
export async function readFhirProvider(ctx: EhrRegistryContext, id: string, ownerTenantId?: string): Promise<FhirProviderRow> {
  const row = await ctx.platform.get(keys.fhirProvider(id));
  if (!row || (ownerTenantId !== undefined && row.ownerTenantId !== ownerTenantId)) throw notFound();
  return row;
}

/** The store that audits changes of a provider: of the tenant that owns it, else of the actor. */
export const ownerStore = ({ platform }: EhrRegistryContext, ownerTenantId: string | undefined): EhrRegistryContext["platform"] =>
  ownerTenantId === undefined ? platform : platform.inTenant(ownerTenantId);

export type ProviderWithHealth = { row: FhirProviderRow; health?: FhirHealthRow };

const isProvider = (row: FhirProviderRow | FhirHealthRow): row is FhirProviderRow => "baseUrl" in row;

/** All providers, oldest first, each with its last health check, whose row follows it. One Query per megabyte. */
export async function readFhirProviders(ctx: EhrRegistryContext): Promise<ProviderWithHealth[]> {
  const providers: ProviderWithHealth[] = [];
  for await (const row of rowsOf<FhirProviderRow | FhirHealthRow>(ctx.platform, partitions.fhirProviders)) {
    const last = providers.at(-1);
    if (isProvider(row)) providers.push({ row });
    else if (last) last.health = row;
  }
  return providers;
}
