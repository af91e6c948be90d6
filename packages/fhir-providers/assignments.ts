import type { TenantAssignments } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { OfficeRow, Page, TenantDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readFhirProviders } from "./read-provider.ts";

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
