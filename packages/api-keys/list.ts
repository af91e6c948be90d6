import type { ApiKey } from "@vitaline/contract";
import { allDone, notFound, type Context } from "@vitaline/core";
import { keys, type ApiKeyRow, type KeyUseRow, type TenantContext } from "@vitaline/store";

/** A key without the key. One whose time has come is over, though nobody has ended it. */
export const asApiKey = (ctx: Context, row: ApiKeyRow, use: KeyUseRow | undefined): ApiKey => ({
  id: row.id,
  last4: row.last4,
  status: row.notAfter !== undefined && Date.parse(row.notAfter) <= ctx.clock().getTime() ? "revoked" : row.status,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  notAfter: row.notAfter ?? null,
  lastUsedAt: use?.lastUsedAt ?? null,
});

/** A tenant's keys, newest first: the current one, the former ones that still work, and those that ended within 30 days. AppError `not_found`. */
export async function listApiKeys(ctx: TenantContext): Promise<ApiKey[]> {
  const { config, keyUse } = keys.tenantPartitions;
  const [found, uses] = await allDone([
    ctx.store.query<ApiKeyRow>(config(ctx.tenantId), { prefix: "APIKEY#", descending: true }),
    ctx.store.query<KeyUseRow>(keyUse(ctx.tenantId)),
  ]);
  // Every tenant has a key, so where there is none there is no tenant.
  if (found.rows.length === 0) throw notFound();
  const useOf = new Map(uses.rows.map((use) => [use.id, use]));
  return found.rows.map((row) => asApiKey(ctx, row, useOf.get(row.id)));
}
