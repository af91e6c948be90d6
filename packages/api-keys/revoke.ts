import type { ApiKey } from "@vitaline/contract";
import { AppError, notFound, type Context } from "@vitaline/core";
import { keys, remove, update, type ApiKeyRow, type KeyLookupRow, type TenantContext, type TenantRow, type Write } from "@vitaline/store";
import { asApiKey } from "./list.ts";

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
export const endNow = (ctx: Context, key: ApiKeyRow): Write[] => ending(key, "revoked", { expiresAt: forgottenAfter(ctx.clock()) });

/** Writes that let a key work until an instant. */
export const endAt = (key: ApiKeyRow, instant: Date): Write[] =>
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
