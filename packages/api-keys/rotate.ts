import { notFound } from "@vitaline/core";
import { keys, update, type TenantContext, type TenantRow } from "@vitaline/store";
import { issueApiKey } from "./issue.ts";
import { endAt, endNow } from "./revoke.ts";

/**
 * Replaces the tenant's key; returns the new one. With 0 seconds of overlap no older key is accepted by the next request;
 * with more, the last one goes on until then, and one that was still going on from before ends now.
 * Two administrators at once: one wins, the other gets AppError `stale_version`.
 */
export async function rotateApiKey(ctx: TenantContext, overlapSeconds = 0): Promise<string> {
  const tenant = await ctx.store.get(keys.tenantConfig());
  const old = tenant && (await ctx.store.get(keys.apiKey(tenant.apiKeyId)));
  if (!tenant || !old) throw notFound();
  const older = tenant.retiringApiKeyId === undefined ? undefined : await ctx.store.get(keys.apiKey(tenant.retiringApiKeyId));
  const { apiKey, keyId, writes } = await issueApiKey(ctx, ctx.tenantId, tenant.isActive);
  const overlaps = overlapSeconds > 0;
  const end = new Date(ctx.clock().getTime() + overlapSeconds * 1000);
  const change = overlaps
    ? { set: { apiKeyId: keyId, retiringApiKeyId: old.id } }
    : { set: { apiKeyId: keyId }, remove: ["retiringApiKeyId" as const] };
  await ctx.store.commit(
    [
      ...writes,
      ...(overlaps ? endAt(old, end) : endNow(ctx, old)),
      ...(older ? endNow(ctx, older) : []),
      // A switch of the tenant at the same time would leave the new key out.
      update<TenantRow>(keys.tenantConfig(), change, { equals: { apiKeyId: old.id, isActive: tenant.isActive } }),
    ],
    {
      category: "configuration_change",
      action: "apiKey.rotate",
      resourceType: "ApiKey",
      resourceId: keyId,
      detail: { replaced: old.id, overlapSeconds },
    },
  );
  return apiKey;
}
