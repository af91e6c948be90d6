import { keys, update, type KeyLookupRow, type TenantContext, type TenantRow, type Write } from "@vitaline/store";

/** Writes that suspend a tenant's working keys, or let them work again, on every function's next request. */
export async function switchApiKeys(ctx: TenantContext, { apiKeyId, retiringApiKeyId }: TenantRow, isActive: boolean): Promise<Write[]> {
  const ids = retiringApiKeyId === undefined ? [apiKeyId] : [apiKeyId, retiringApiKeyId];
  const rows = await ctx.store.batchGet(ids.map((id) => keys.apiKey(id)));
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  // A key that has run out may be forgotten by now.
  return rows.flatMap((row) => (row ? [update<KeyLookupRow>(keys.keyLookup(row.lookup), change, { exists: true })] : []));
}
