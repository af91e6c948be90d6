import { notFound } from "@vitaline/core";
import { type FhirHealthRow, type FhirProviderRow, keys, rowsOf } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

/** A provider's row. With `keptBy`, a tenant, all others' providers are not there: AppError `not_found`. */
export async function readFhirProvider(ctx: PlatformContext, id: string, keptBy?: string): Promise<FhirProviderRow> {
  const row = await ctx.platform.get(keys.fhirProvider(id));
  if (!row || (keptBy !== undefined && row.ownerTenantId !== keptBy)) throw notFound();
  return row;
}

/** Where acts on a provider are audited: in the log of the tenant that keeps it, else in that of whoever acts. */
export const ownerStore = ({ platform }: PlatformContext, ownerTenantId: string | undefined): PlatformStore =>
  ownerTenantId === undefined ? platform : platform.inTenant(ownerTenantId);

export type ProviderWithHealth = { row: FhirProviderRow; health?: FhirHealthRow };

const isProvider = (row: FhirProviderRow | FhirHealthRow): row is FhirProviderRow => "baseUrl" in row;

/** All providers in the order of their making, each with its last check, which lies right behind it. One read a megabyte. */
export async function readFhirProviders(ctx: PlatformContext): Promise<ProviderWithHealth[]> {
  const providers: ProviderWithHealth[] = [];
  for await (const row of rowsOf<FhirProviderRow | FhirHealthRow>(ctx.platform, partitions.fhirProviders)) {
    const last = providers.at(-1);
    if (isProvider(row)) providers.push({ row });
    else if (last) last.health = row;
  }
  return providers;
}
