import { keys, update, type ApiKeyRow, type TenantContext, type TenantRow, type Write } from "@vitaline/store";
import { notFound } from "@vitaline/core";
import { issueApiKey } from "./issue.ts";

const revoke = ({ id, lookup }: ApiKeyRow): Write[] => [
  update(keys.apiKey(id), { set: { status: "revoked" } }),
  update(keys.keyLookup(lookup), { set: { status: "revoked" } }),
];
const endAt = ({ id, lookup }: ApiKeyRow, notAfter: string): Write[] => [
  update(keys.apiKey(id), { set: { status: "retiring", notAfter } }),
  update(keys.keyLookup(lookup), { set: { notAfter } }),
];

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
  const { apiKey, keyId, writes } = await issueApiKey(ctx, ctx.tenantId);
  const overlaps = overlapSeconds > 0;
  const notAfter = new Date(ctx.clock().getTime() + overlapSeconds * 1000).toISOString();
  const change = overlaps
    ? { set: { apiKeyId: keyId, retiringApiKeyId: old.id } }
    : { set: { apiKeyId: keyId }, remove: ["retiringApiKeyId" as const] };
  await ctx.store.commit(
    [
      ...writes,
      ...(overlaps ? endAt(old, notAfter) : revoke(old)),
      ...(older ? revoke(older) : []),
      update<TenantRow>(keys.tenantConfig(), change, { equals: { apiKeyId: old.id } }),
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
