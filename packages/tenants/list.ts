import type { Tenant } from "@vitaline/contract";
import { sealCursor, type OfficeRow, type Page, type TenantDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asTenant } from "./create.ts";

const isTenant = (row: TenantDirectoryRow | OfficeRow): row is TenantDirectoryRow => "organizationType" in row;

const pageLength = 200;
/** A tenant's offices stand behind it in the same partition and are read with it. */
const rowsPerTenant = 6;

/** Behind a tenant's offices and before the next tenant: "$" is the sign after "#". */
const after = ({ id }: Tenant): string => sealCursor(partitions.tenantDirectory, { pk: partitions.tenantDirectory, sk: `${id}$` });

/** A page of all tenants, oldest first; one Query. */
export async function listTenants(
  ctx: PlatformContext,
  { limit = pageLength, cursor }: { limit?: number; cursor?: string } = {},
): Promise<Page<Tenant>> {
  const read = await ctx.platform.query<TenantDirectoryRow | OfficeRow>(partitions.tenantDirectory, {
    cursor,
    limit: limit * rowsPerTenant,
  });
  const found = read.rows.filter(isTenant);
  const rows = found.slice(0, limit).map(asTenant);
  const last = rows.at(-1);
  return { rows, next: last && (read.next || found.length > rows.length) ? after(last) : undefined };
}
