import type { Tenant } from "@vitaline/contract";
import type { OfficeRow, TenantDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asTenant } from "./create.ts";

const isTenant = (row: TenantDirectoryRow | OfficeRow): row is TenantDirectoryRow => "organizationType" in row;

/** All tenants, oldest first; their offices stand in the same partition and are passed over. */
export async function listTenants(ctx: PlatformContext): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await ctx.platform.query<TenantDirectoryRow | OfficeRow>(partitions.tenantDirectory, { cursor });
    tenants.push(...page.rows.filter(isTenant).map(asTenant));
    cursor = page.next;
  }
  return tenants;
}
