import { AppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { isWellFormed, lookupOf } from "./format.ts";

const refused = () => new AppError("unauthenticated", "The API key is missing or not valid.");

/** Whose key this is: one strongly consistent read, never cached, none at all for junk. AppError `unauthenticated`, in one wording. */
export async function verifyApiKey(ctx: PlatformContext, presented: string[]): Promise<{ tenantId: string; keyId: string }> {
  const [key, ...others] = new Set(presented);
  if (key === undefined || others.length > 0 || !isWellFormed(key)) throw refused();
  const row = await ctx.platform.get(keys.keyOwner(lookupOf(key)));
  const expired = row?.notAfter !== undefined && Date.parse(row.notAfter) <= ctx.clock().getTime();
  if (!row || row.status !== "active" || expired) throw refused();
  return { tenantId: row.tenantId, keyId: row.keyId };
}
