import { unseal } from "@vitaline/aws";
import { notFound } from "@vitaline/core";
import { keys, type SealedRow, type TenantContext, type TenantRow } from "@vitaline/store";

/** The sealed copy of the key that a tenant's row names; undefined where a rotation since the row was read has taken it away. */
const copyOf = async (ctx: TenantContext, tenant: TenantRow | undefined): Promise<{ keyId: string; sealed: SealedRow } | undefined> => {
  const sealed = tenant && (await ctx.store.get(keys.sealedApiKey(tenant.apiKeyId)));
  return sealed && { keyId: tenant.apiKeyId, sealed };
};

/** The tenant's current key in clear, for its administrators; every look is audited before the key leaves. */
export async function revealApiKey(ctx: TenantContext, tenant: TenantRow): Promise<string> {
  const { keyId, sealed } = (await copyOf(ctx, tenant)) ?? (await copyOf(ctx, await ctx.store.get(keys.tenantConfig()))) ?? {};
  if (keyId === undefined || !sealed) throw notFound();
  const apiKey = await unseal("tenant-api-key", ctx.tenantId, sealed.ciphertext);
  await ctx.store.commit([], {
    category: "configuration_change",
    action: "apiKey.reveal",
    resourceType: "ApiKey",
    resourceId: keyId,
  });
  return apiKey;
}
