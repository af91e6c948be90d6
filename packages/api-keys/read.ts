import { unseal } from "@vitaline/aws";
import type { ApiKey, KeyPurpose } from "@vitaline/contract";
import { awaitAllThenThrow, notFound, type Context } from "@vitaline/core";
import { keys, type ApiKeyRow, type KeyUseRow, type SealedRow, type TenantContext, type TenantRow } from "@vitaline/store";

/** Expired keys count as revoked. */
export const asApiKey = (ctx: Context, row: ApiKeyRow, use: KeyUseRow | undefined): ApiKey => ({
  id: row.id,
  last4: row.last4,
  status: row.notAfter !== undefined && Date.parse(row.notAfter) <= ctx.clock().getTime() ? "revoked" : row.status,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  notAfter: row.notAfter ?? null,
  lastUsedAt: use?.lastUsedAt ?? null,
});

/** Newest first; ended keys are kept for 30 days. AppError `not_found`. */
export async function listApiKeys(ctx: TenantContext): Promise<ApiKey[]> {
  const { config, keyUse } = keys.tenantPartitions;
  const [found, uses] = await awaitAllThenThrow([
    ctx.store.query<ApiKeyRow>(config(ctx.tenantId), { prefix: "APIKEY#", descending: true }),
    ctx.store.query<KeyUseRow>(keyUse(ctx.tenantId)),
  ]);
  // Every tenant has a key, so without one the tenant does not exist.
  if (found.rows.length === 0) throw notFound();
  const useOf = new Map(uses.rows.map((use) => [use.id, use]));
  return found.rows.map((row) => asApiKey(ctx, row, useOf.get(row.id)));
}

/** undefined if a rotation replaced the key since the row was read. */
const readSealedKey = async (
  ctx: TenantContext,
  tenant: TenantRow | undefined,
): Promise<{ keyId: string; sealed: SealedRow } | undefined> => {
  const sealed = tenant && (await ctx.store.get(keys.sealedApiKey(tenant.apiKeyId)));
  return sealed && { keyId: tenant.apiKeyId, sealed };
};

/** The current key in plain text, audited with its purpose before it is returned. */
export async function revealApiKey(ctx: TenantContext, tenant: TenantRow, purpose?: KeyPurpose): Promise<string> {
  const { keyId, sealed } =
    (await readSealedKey(ctx, tenant)) ?? (await readSealedKey(ctx, await ctx.store.get(keys.tenantConfig()))) ?? {};
  if (keyId === undefined || !sealed) throw notFound();
  const apiKey = await unseal("tenant-api-key", ctx.tenantId, sealed.ciphertext);
  await ctx.store.commit([], {
    category: "configuration_change",
    action: "apiKey.reveal",
    resourceType: "ApiKey",
    resourceId: keyId,
    ...(purpose && { detail: { purpose } }),
  });
  return apiKey;
}
