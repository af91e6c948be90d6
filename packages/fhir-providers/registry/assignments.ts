import type { FhirAssigned, TenantAssignments } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
import {
  check,
  keys,
  nextVersion,
  type OfficeRow,
  retryOnStale,
  type Page,
  put,
  remove,
  type TenantDirectoryRow,
  update,
  type Write,
} from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { EhrRegistryContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { readFhirProviders } from "../provider/provider-row.ts";

/** In the key of an assignment: the tenant itself instead of an office. */
const wholeTenant = "-";

/**
 * Assigns a tenant its default record system; null removes it. Raises the tenant's version. AppError `not_found` for an unknown tenant or
 * provider and for another tenant's provider; `stale_version` when `ifMatch` is not the tenant's version, or after too many concurrent
 * changes.
 */
export const assignFhirProvider = (
  ctx: EhrRegistryContext,
  tenantId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> => assign(ctx, tenantId, wholeTenant, fhirProviderId, ifMatch);

/** Assigns an office its own record system; null: it inherits the tenant's. Version and AppErrors as for a tenant. */
export const assignOfficeFhirProvider = (
  ctx: EhrRegistryContext,
  tenantId: string,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> => assign(ctx, tenantId, officeId, fhirProviderId, ifMatch);

const assign = (
  ctx: EhrRegistryContext,
  tenantId: string,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch: number | undefined,
): Promise<FhirAssigned> =>
  retryOnStale(ifMatch, async () => {
    const store = ctx.platform.inTenant(tenantId);
    const isTenant = officeId === wholeTenant;
    const [holder, provider] = await awaitAllThenThrow([
      store.get(isTenant ? keys.tenantConfig() : keys.office(officeId)),
      fhirProviderId === null ? null : store.get(keys.fhirProvider(fhirProviderId)),
    ]);
    if (!holder || provider === undefined) throw notFound();
    if (provider?.ownerTenantId !== undefined && provider.ownerTenantId !== tenantId) throw notFound();
    const { version, asRead } = nextVersion(holder, ifMatch);
    const before = holder.fhirProviderId;
    if (before === (fhirProviderId ?? undefined)) return { fhirProviderId, version: holder.version ?? 1 };

    const change =
      fhirProviderId === null ? { set: { version }, remove: ["fhirProviderId" as const] } : { set: { fhirProviderId, version } };
    const holderWrites: Write[] = isTenant
      ? [update(keys.tenantConfig(), change, asRead), update(keys.tenantDirectory(), change, { exists: true })]
      : [update(keys.office(officeId), change, asRead), update(keys.officeDirectory(officeId), change, { exists: true })];
    const usedBy = isTenant ? { tenantId } : { tenantId, officeId };
    const usedByWrites: Write[] =
      fhirProviderId === null
        ? []
        : [put(keys.fhirUsedBy(fhirProviderId, tenantId, officeId), usedBy), check(keys.fhirProvider(fhirProviderId), { exists: true })];
    await store.commit(
      [...holderWrites, ...(before === undefined ? [] : [remove(keys.fhirUsedBy(before, tenantId, officeId))]), ...usedByWrites],
      {
        category: "configuration_change",
        action: fhirProviderId === null ? "fhirProvider.unassign" : "fhirProvider.assign",
        resourceType: isTenant ? "Tenant" : "Office",
        resourceId: isTenant ? tenantId : officeId,
        detail: { ...(fhirProviderId && { fhirProviderId }), ...(before && { before }) },
      },
    );
    return { fhirProviderId, version };
  });

type DirectoryRow = TenantDirectoryRow | OfficeRow;
type TenantWithOffices = { tenant: TenantDirectoryRow; offices: OfficeRow[] };

const isTenantRow = (row: DirectoryRow): row is TenantDirectoryRow => "organizationType" in row;

/** A tenant's row comes before those of its offices; offices without their tenant belong to the previous page. */
function groupByTenant(rows: DirectoryRow[]): TenantWithOffices[] {
  const listed: TenantWithOffices[] = [];
  for (const row of rows)
    if (isTenantRow(row)) listed.push({ tenant: row, offices: [] });
    else listed.at(-1)?.offices.push(row);
  return listed;
}

/**
 * The provider of each tenant and office, oldest tenant first, a tenant and all its offices on one page. Two concurrent Queries, a third
 * when a page ends within a tenant's offices.
 */
export async function listFhirAssignments(
  ctx: ScopedContext<"ehr" | "directory">,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<TenantAssignments>> {
  const [page, providers] = await awaitAllThenThrow([
    ctx.platform.query<DirectoryRow>(partitions.tenantDirectory, { limit, cursor }),
    readFhirProviders(ctx),
  ]);
  const names = new Map(providers.map(({ row }) => [row.id, row.name]));
  const assigned = (id: string | undefined) => (id === undefined ? null : { id, name: names.get(id) ?? "" });
  const listed = groupByTenant(page.rows);
  const last = listed.at(-1);
  if (page.next && last)
    last.offices = (await ctx.platform.query<OfficeRow>(partitions.tenantDirectory, { prefix: `${last.tenant.id}#OFFICE#` })).rows;
  return {
    next: page.next,
    rows: listed.map(({ tenant, offices }) => ({
      tenantId: tenant.id,
      name: tenant.name,
      organizationType: tenant.organizationType,
      isActive: tenant.isActive,
      defaultFhirProvider: assigned(tenant.fhirProviderId),
      version: tenant.version ?? 1,
      offices: offices.map(({ id, name, isActive, fhirProviderId, version = 1 }) => ({
        ...{ id, name, isActive, version },
        fhirProvider: assigned(fhirProviderId),
      })),
    })),
  };
}
