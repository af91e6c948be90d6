import type { FhirAssigned, TenantAssignments } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import {
  check,
  keys,
  nextVersion,
  type OfficeRow,
  onFreshRead,
  type Page,
  put,
  remove,
  type TenantDirectoryRow,
  update,
  type Write,
} from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readFhirProviders } from "../provider/provider-row.ts";

/** In the place of an office: the assignment is the tenant's own. */
const wholeTenant = "-";

/**
 * Gives a tenant its record system, or takes it away with null: a change of the tenant, whose version it raises. AppError
 * `not_found` for an unknown tenant or provider, and for a provider that another tenant keeps; `stale_version` when `ifMatch`
 * is not the tenant's version, or when others keep changing the tenant at the same time.
 */
export const assignFhirProvider = (
  ctx: PlatformContext,
  tenantId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> => assign(ctx, tenantId, wholeTenant, fhirProviderId, ifMatch);

/** Gives an office a record system of its own, or lets it inherit its tenant's with null; version and AppErrors as for a tenant. */
export const assignOfficeFhirProvider = (
  ctx: PlatformContext,
  tenantId: string,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> => assign(ctx, tenantId, officeId, fhirProviderId, ifMatch);

const assign = (
  ctx: PlatformContext,
  tenantId: string,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch: number | undefined,
): Promise<FhirAssigned> =>
  onFreshRead(ifMatch, async () => {
    const store = ctx.platform.inTenant(tenantId);
    const ofTenant = officeId === wholeTenant;
    const [holder, provider] = await allDone([
      store.get(ofTenant ? keys.tenantConfig() : keys.office(officeId)),
      fhirProviderId === null ? null : store.get(keys.fhirProvider(fhirProviderId)),
    ]);
    if (!holder || provider === undefined) throw notFound();
    if (provider?.ownerTenantId !== undefined && provider.ownerTenantId !== tenantId) throw notFound();
    const { version, asRead } = nextVersion(holder, ifMatch);
    const before = holder.fhirProviderId;
    if (before === (fhirProviderId ?? undefined)) return { fhirProviderId, version: holder.version ?? 1 };

    const change =
      fhirProviderId === null ? { set: { version }, remove: ["fhirProviderId" as const] } : { set: { fhirProviderId, version } };
    const held: Write[] = ofTenant
      ? [update(keys.tenantConfig(), change, asRead), update(keys.tenantDirectory(), change, { exists: true })]
      : [update(keys.office(officeId), change, asRead), update(keys.officeDirectory(officeId), change, { exists: true })];
    const user = ofTenant ? { tenantId } : { tenantId, officeId };
    const used: Write[] =
      fhirProviderId === null
        ? []
        : [put(keys.fhirUsedBy(fhirProviderId, tenantId, officeId), user), check(keys.fhirProvider(fhirProviderId), { exists: true })];
    await store.commit([...held, ...(before === undefined ? [] : [remove(keys.fhirUsedBy(before, tenantId, officeId))]), ...used], {
      category: "configuration_change",
      action: fhirProviderId === null ? "fhirProvider.unassign" : "fhirProvider.assign",
      resourceType: ofTenant ? "Tenant" : "Office",
      resourceId: ofTenant ? tenantId : officeId,
      detail: { ...(fhirProviderId && { fhirProviderId }), ...(before && { before }) },
    });
    return { fhirProviderId, version };
  });

type DirectoryRow = TenantDirectoryRow | OfficeRow;
type Listed = { tenant: TenantDirectoryRow; offices: OfficeRow[] };

const isTenant = (row: DirectoryRow): row is TenantDirectoryRow => "organizationType" in row;

/** A tenant's row stands right before those of its offices; offices without their tenant belong to the page before. */
function byTenant(rows: DirectoryRow[]): Listed[] {
  const listed: Listed[] = [];
  for (const row of rows)
    if (isTenant(row)) listed.push({ tenant: row, offices: [] });
    else listed.at(-1)?.offices.push(row);
  return listed;
}

/**
 * Which EHR each tenant and office uses, oldest tenant first. Two queries at once; one more when a page ends amid a tenant's
 * offices, so that every tenant stands on one page with all of them.
 */
export async function listFhirAssignments(
  ctx: PlatformContext,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<TenantAssignments>> {
  const [page, providers] = await allDone([
    ctx.platform.query<DirectoryRow>(partitions.tenantDirectory, { limit, cursor }),
    readFhirProviders(ctx),
  ]);
  const names = new Map(providers.map(({ row }) => [row.id, row.name]));
  const assigned = (id: string | undefined) => (id === undefined ? null : { id, name: names.get(id) ?? "" });
  const listed = byTenant(page.rows);
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
