import { seal } from "@vitaline/aws";
import { AppError, type Context, newId, notFound } from "@vitaline/core";
import {
  type ApiKeyRow,
  create,
  type KeyLookupRow,
  keys,
  remove,
  type TenantContext,
  type TenantRow,
  update,
  type Write,
} from "@vitaline/store";
import type { ApiKey } from "@vitaline/contract";
import { lookupOf, newApiKey } from "./key-format.ts";
import { asApiKey } from "./read.ts";

/**
 * A fresh key and the rows that make it work: its record, its sealed copy (the spec shows the key again), its lookup.
 * That of an inactive tenant starts suspended.
 */
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
      create(keys.apiKey(keyId), { id: keyId, lookup, last4: apiKey.slice(-4), status: "active", createdAt, createdBy: ctx.actor.id }),
      create(keys.sealedApiKey(keyId), { ciphertext: await seal("tenant-api-key", tenantId, apiKey) }),
      create<KeyLookupRow>(keys.keyLookup(lookup), { tenantId, keyId, status: "active", ...(!isActive && { suspended: true }) }),
    ],
  };
}

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

/** How long a key that is over is still shown. */
const shownSeconds = 30 * 86_400;

const forgottenAfter = (endsAt: Date): number => Math.floor(endsAt.getTime() / 1000) + shownSeconds;

/** A key that is not the current one any more: nobody can be shown it again. One that is forgotten by now is not made anew. */
const ending = ({ id, lookup }: ApiKeyRow, status: ApiKeyRow["status"], set: Pick<KeyLookupRow, "notAfter" | "expiresAt">): Write[] => [
  update(keys.apiKey(id), { set: { ...set, status } }, { exists: true }),
  update<KeyLookupRow>(keys.keyLookup(lookup), { set: { ...set, ...(status === "revoked" && { status }) } }, { exists: true }),
  remove(keys.sealedApiKey(id)),
];

/** Writes that end a key now. */
const endNow = (ctx: Context, key: ApiKeyRow): Write[] => ending(key, "revoked", { expiresAt: forgottenAfter(ctx.clock()) });

/** Writes that let a key work until an instant. */
const endAt = (key: ApiKeyRow, instant: Date): Write[] =>
  ending(key, "retiring", { notAfter: instant.toISOString(), expiresAt: forgottenAfter(instant) });

/**
 * Ends a tenant's former key before its time; one that is over already stays so. AppError `not_found`; `not_doable` for
 * the current one, which only a new one can replace; `stale_version` when a rotation happens at the same time.
 */
export async function revokeApiKey(ctx: TenantContext, keyId: string): Promise<ApiKey> {
  const [tenant, row, use] = await ctx.store.batchGet([keys.tenantConfig(), keys.apiKey(keyId), keys.apiKeyUse(keyId)]);
  if (!tenant || !row) throw notFound();
  if (tenant.apiKeyId === keyId)
    throw new AppError("not_doable", "The current key cannot be revoked. Regenerate it: the new one takes its place at once.");
  if (row.status === "revoked") return asApiKey(ctx, row, use);
  await ctx.store.commit(
    [
      ...endNow(ctx, row),
      update<TenantRow>(keys.tenantConfig(), { remove: ["retiringApiKeyId"] }, { exists: true, equals: { retiringApiKeyId: keyId } }),
    ],
    { category: "configuration_change", action: "apiKey.revoke", resourceType: "ApiKey", resourceId: keyId },
  );
  return asApiKey(ctx, { ...row, status: "revoked" }, use);
}

/** Writes that suspend a tenant's working keys, or let them work again, on every function's next request. */
export async function switchApiKeys(ctx: TenantContext, { apiKeyId, retiringApiKeyId }: TenantRow, isActive: boolean): Promise<Write[]> {
  const ids = retiringApiKeyId === undefined ? [apiKeyId] : [apiKeyId, retiringApiKeyId];
  const rows = await ctx.store.batchGet(ids.map((id) => keys.apiKey(id)));
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  // A key that has run out may be forgotten by now.
  return rows.flatMap((row) => (row ? [update<KeyLookupRow>(keys.keyLookup(row.lookup), change, { exists: true })] : []));
}
