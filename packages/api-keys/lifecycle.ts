import { seal } from "@vitaline/aws";
import type { ApiKey } from "@vitaline/contract";
import { AppError, newId, notFound, type Context } from "@vitaline/core";
import {
  create,
  keys,
  remove,
  update,
  type ApiKeyRow,
  type KeyLookupRow,
  type TenantContext,
  type TenantRow,
  type Write,
} from "@vitaline/store";
import { lookupOf, newApiKey } from "./authenticate.ts";
import { asApiKey } from "./read.ts";

/** A new key and its writes. The key is also stored sealed, because administrators may reveal it. Suspended for an inactive tenant. */
export async function issueApiKey(
  ctx: Context,
  tenantId: string,
  isActive = true,
): Promise<{ apiKey: string; keyId: string; writes: Write[] }> {
  const apiKey = newApiKey();
  const keyId = newId(ctx.clock().getTime());
  const lookup = lookupOf(apiKey);
  const createdAt = ctx.clock().toISOString();
  return {
    apiKey,
    keyId,
    writes: [
      create(keys.apiKey(keyId), {
        id: keyId,
        lookupHash: lookup,
        last4: apiKey.slice(-4),
        status: "active",
        createdAt,
        createdBy: ctx.actor.id,
      }),
      create(keys.sealedApiKey(keyId), { ciphertext: await seal("tenant-api-key", tenantId, apiKey) }),
      create<KeyLookupRow>(keys.keyLookup(lookup), { tenantId, keyId, status: "active", ...(!isActive && { suspended: true }) }),
    ],
  };
}

/**
 * Returns the new key. The last key works for `overlapSeconds` more; an older one ends at once. AppError `stale_version` for two
 * concurrent rotations.
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
      ...(overlaps ? retireWrites(old, end) : revokeWrites(ctx, old)),
      ...(older ? revokeWrites(ctx, older) : []),
      // A concurrent change of the tenant's state would miss the new key.
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

/** Ended keys are listed this long. */
const shownSeconds = 30 * 86_400;

const expiresAtOf = (endsAt: Date): number => Math.floor(endsAt.getTime() / 1000) + shownSeconds;

/** A former key cannot be revealed. A row that has expired is not created again. */
const endKeyWrites = (
  { id, lookupHash: lookup }: ApiKeyRow,
  status: ApiKeyRow["status"],
  set: Pick<KeyLookupRow, "notAfter" | "expiresAt">,
): Write[] => [
  update(keys.apiKey(id), { set: { ...set, status } }, { exists: true }),
  update<KeyLookupRow>(keys.keyLookup(lookup), { set: { ...set, ...(status === "revoked" && { status }) } }, { exists: true }),
  remove(keys.sealedApiKey(id)),
];

const revokeWrites = (ctx: Context, key: ApiKeyRow): Write[] => endKeyWrites(key, "revoked", { expiresAt: expiresAtOf(ctx.clock()) });

const retireWrites = (key: ApiKeyRow, instant: Date): Write[] =>
  endKeyWrites(key, "retiring", { notAfter: instant.toISOString(), expiresAt: expiresAtOf(instant) });

/**
 * Ends a former key early; one that has ended stays so. AppError `not_found`; `not_doable` for the current key; `stale_version` for
 * a concurrent rotation.
 */
export async function revokeApiKey(ctx: TenantContext, keyId: string): Promise<ApiKey> {
  const [tenant, row, use] = await ctx.store.batchGet([keys.tenantConfig(), keys.apiKey(keyId), keys.apiKeyUse(keyId)]);
  if (!tenant || !row) throw notFound();
  if (tenant.apiKeyId === keyId)
    throw new AppError("not_doable", "The current key cannot be revoked. Regenerate it: the new one takes its place at once.");
  if (row.status === "revoked") return asApiKey(ctx, row, use);
  await ctx.store.commit(
    [
      ...revokeWrites(ctx, row),
      update<TenantRow>(keys.tenantConfig(), { remove: ["retiringApiKeyId"] }, { exists: true, equals: { retiringApiKeyId: keyId } }),
    ],
    { category: "configuration_change", action: "apiKey.revoke", resourceType: "ApiKey", resourceId: keyId },
  );
  return asApiKey(ctx, { ...row, status: "revoked" }, use);
}

/** Writes that suspend or resume the tenant's keys, effective from the next request. */
export async function setApiKeysActive(ctx: TenantContext, { apiKeyId, retiringApiKeyId }: TenantRow, isActive: boolean): Promise<Write[]> {
  const ids = retiringApiKeyId === undefined ? [apiKeyId] : [apiKeyId, retiringApiKeyId];
  const rows = await ctx.store.batchGet(ids.map((id) => keys.apiKey(id)));
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  // An expired key may be deleted.
  return rows.flatMap((row) => (row ? [update<KeyLookupRow>(keys.keyLookup(row.lookupHash), change, { exists: true })] : []));
}
