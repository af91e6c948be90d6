import { unseal } from "@vitaline/aws";
import { notFound } from "@vitaline/core";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";

/** The tenant's current key in clear, for its administrators; every look is audited before the key leaves. */
export async function revealApiKey(ctx: TenantContext, tenant: TenantRow): Promise<string> {
  const sealed = await ctx.store.get(keys.sealedApiKey(tenant.apiKeyId));
  if (!sealed) throw notFound();
  const apiKey = await unseal("tenant-api-key", ctx.tenantId, sealed.ciphertext);
  await ctx.store.commit([], {
    category: "configuration_change",
    action: "apiKey.reveal",
    resourceType: "ApiKey",
    resourceId: tenant.apiKeyId,
  });
  return apiKey;
}
