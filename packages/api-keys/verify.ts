import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { isWellFormed, lookupOf } from "./format.ts";
import { inactive, onlyOne, refused } from "./refused.ts";

/**
 * Whose key this is: one strongly consistent read, never cached, none at all for junk. AppError `unauthenticated`, in one
 * wording, and `tenant_inactive` for a key that would be right: of a tenant that is switched off.
 */
export async function verifyApiKey(ctx: PlatformContext, presented: string[]): Promise<{ tenantId: string; keyId: string }> {
  const key = onlyOne(presented);
  if (!isWellFormed(key)) throw refused();
  const row = await ctx.platform.get(keys.keyOwner(lookupOf(key)));
  const expired = row?.notAfter !== undefined && Date.parse(row.notAfter) <= ctx.clock().getTime();
  if (!row || row.status !== "active" || expired) throw refused();
  if (row.suspended) throw inactive();
  return { tenantId: row.tenantId, keyId: row.keyId };
}
