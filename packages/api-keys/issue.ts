import { seal } from "@vitaline/aws";
import { newId, type Context } from "@vitaline/core";
import { create, keys, type KeyLookupRow, type Write } from "@vitaline/store";
import { lookupOf, newApiKey } from "./format.ts";

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
