import { revealApiKey } from "@vitaline/api-keys";
import type { TenantDetail } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import { keys, tenantStore, type FhirProviderRow, type TenantContext, type TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asTenant } from "./create.ts";
import { settingsOf } from "./settings.ts";

const defaultProviderOf = async (ctx: PlatformContext, { fhirProviderId }: TenantRow): Promise<TenantDetail["defaultFhirProvider"]> => {
  const provider = fhirProviderId === undefined ? undefined : await ctx.platform.get<FhirProviderRow>(keys.fhirProvider(fhirProviderId));
  return provider ? { id: provider.id, name: provider.name } : null;
};

/** What a tenant has agreed to pay for: one read. AppError `not_found`. */
export async function planOf({ store }: TenantContext): Promise<Pick<TenantRow, "plan">> {
  const tenant = await store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  return tenant.plan ? { plan: tenant.plan } : {};
}

/** A tenant as the platform's administrator sees it, with its key unless they look only at the rest; the look at the key stands in the tenant's audit. AppError `not_found`. */
export async function tenantDetail(ctx: PlatformContext, tenantId: string, withKey = true): Promise<TenantDetail> {
  const scoped = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const tenant = await scoped.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const [apiKey, defaultFhirProvider] = await allDone([withKey ? revealApiKey(scoped, tenant) : null, defaultProviderOf(ctx, tenant)]);
  return { ...asTenant(tenant), ...settingsOf(tenant), defaultFhirProvider, apiKey };
}
