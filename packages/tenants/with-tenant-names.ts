import { inHundreds } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/**
 * Rows of a page with what their tenants are called now; "" for a row of no tenant. One read for a hundred different tenants,
 * none where there is none.
 */
export async function withTenantNames<Row extends { tenantId?: string }>(
  ctx: PlatformContext,
  rows: readonly Row[],
): Promise<(Row & { tenantName: string })[]> {
  const ids = [...new Set(rows.map(({ tenantId }) => tenantId))].filter((id) => id !== undefined);
  const tenants = await inHundreds(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.listedTenant(id))));
  const names = new Map(ids.map((id, index) => [id, tenants[index]?.name]));
  return rows.map((row) => ({ ...row, tenantName: (row.tenantId && names.get(row.tenantId)) ?? "" }));
}
