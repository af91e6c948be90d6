import { keys, update, type TenantContext, type TenantRow, type Write } from "@vitaline/store";
import { notFound } from "@vitaline/core";
import { issueApiKey } from "./issue.ts";

/** What becomes of the old key: it ends now, or goes on for the overlap. */
const retire = (keyId: string, lookup: string, notAfter: string | undefined): Write[] =>
  notAfter
    ? [update(keys.apiKey(keyId), { set: { status: "retiring", notAfter } }), update(keys.keyLookup(lookup), { set: { notAfter } })]
    : [update(keys.apiKey(keyId), { set: { status: "revoked" } }), update(keys.keyLookup(lookup), { set: { status: "revoked" } })];

/**
 * Replaces the tenant's key; returns the new one. With 0 seconds of overlap the old key is refused by the next request.
 * Two administrators at once: one wins, the other gets AppError `stale_version`.
 */
export async function rotateApiKey(ctx: TenantContext, overlapSeconds = 0): Promise<string> {
  const tenant = await ctx.store.get(keys.tenantConfig());
  const old = tenant && (await ctx.store.get(keys.apiKey(tenant.apiKeyId)));
  if (!tenant || !old) throw notFound();
  const { apiKey, keyId, writes } = await issueApiKey(ctx, ctx.tenantId);
  const notAfter = overlapSeconds > 0 ? new Date(ctx.clock().getTime() + overlapSeconds * 1000).toISOString() : undefined;
  await ctx.store.commit(
    [
      ...writes,
      ...retire(old.id, old.lookup, notAfter),
      update<TenantRow>(keys.tenantConfig(), { set: { apiKeyId: keyId } }, { equals: { apiKeyId: old.id } }),
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
