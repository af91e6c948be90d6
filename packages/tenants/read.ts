import { revealApiKey } from "@vitaline/api-keys";
import type { KeyPurpose, Tenant, TenantDetail, TenantInfo } from "@vitaline/contract";
import { awaitAllThenThrow, inBatches, notFound } from "@vitaline/core";
import {
  keys,
  sealCursor,
  tenantStore,
  type FhirProviderRow,
  type OfficeRow,
  type Page,
  type TenantContext,
  type TenantDirectoryRow,
  type TenantRow,
} from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { DirectoryContext, EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { asTenant } from "./create.ts";
import { settingsOf } from "./settings.ts";

const isTenant = (row: TenantDirectoryRow | OfficeRow): row is TenantDirectoryRow => "organizationType" in row;

const defaultPageSize = 200;
/** A tenant's offices follow it in the same partition. */
const rowsPerTenant = 6;

/** Sorts after a tenant's offices ("#") and before the next tenant. */
const cursorAfter = ({ id }: Tenant): string => sealCursor(partitions.tenantDirectory, { pk: partitions.tenantDirectory, sk: `${id}$` });

/** Oldest first. One Query. */
export async function listTenants(
  ctx: DirectoryContext,
  { limit = defaultPageSize, cursor }: { limit?: number; cursor?: string } = {},
): Promise<Page<Tenant>> {
  const read = await ctx.platform.query<TenantDirectoryRow | OfficeRow>(partitions.tenantDirectory, {
    cursor,
    limit: limit * rowsPerTenant,
  });
  const found = read.rows.filter(isTenant);
  const rows = found.slice(0, limit).map(asTenant);
  const last = rows.at(-1);
  return { rows, next: last && (read.next || found.length > rows.length) ? cursorAfter(last) : undefined };
}

const defaultProviderOf = async (ctx: EhrRegistryContext, { fhirProviderId }: TenantRow): Promise<TenantDetail["defaultFhirProvider"]> => {
  const provider = fhirProviderId === undefined ? undefined : await ctx.platform.get<FhirProviderRow>(keys.fhirProvider(fhirProviderId));
  return provider ? { id: provider.id, name: provider.name } : null;
};

/** One read. AppError `not_found`. */
export async function readPlan({ store }: TenantContext): Promise<Pick<TenantRow, "plan">> {
  const tenant = await store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  return tenant.plan ? { plan: tenant.plan } : {};
}

/** For a platform administrator. Revealing the key is audited in the tenant's log. AppError `not_found`. */
export async function tenantDetail(ctx: EhrRegistryContext, tenantId: string, withKey = true): Promise<TenantDetail> {
  const scoped = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const tenant = await scoped.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const [apiKey, defaultFhirProvider] = await awaitAllThenThrow([
    withKey ? revealApiKey(scoped, tenant) : null,
    defaultProviderOf(ctx, tenant),
  ]);
  return { ...asTenant(tenant), ...settingsOf(tenant), defaultFhirProvider, apiKey };
}

/** For a tenant administrator. Revealing the key is audited. */
export async function tenantInfo(
  ctx: TenantContext,
  tenant: TenantRow,
  { withKey = true, purpose }: { withKey?: boolean | undefined; purpose?: KeyPurpose | undefined } = {},
): Promise<TenantInfo> {
  return {
    tenantId: tenant.id,
    organizationName: tenant.name,
    apiKey: withKey ? await revealApiKey(ctx, tenant, purpose) : null,
    isActive: tenant.isActive,
    createdAt: tenant.createdAt,
  };
}

/** "" for a row without a tenant. One batch read per 100 different tenants. */
export async function withTenantNames<Row extends { tenantId?: string }>(
  ctx: DirectoryContext,
  rows: readonly Row[],
): Promise<(Row & { tenantName: string })[]> {
  const ids = [...new Set(rows.map(({ tenantId }) => tenantId))].filter((id) => id !== undefined);
  const tenants = await inBatches(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.listedTenant(id))));
  const names = new Map(ids.map((id, index) => [id, tenants[index]?.name]));
  return rows.map((row) => ({ ...row, tenantName: (row.tenantId && names.get(row.tenantId)) ?? "" }));
}
