import { keys, type KeyUseRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { AppError, errorFields } from "@vitaline/core";
import { isWellFormed, lookupOf } from "./key-format.ts";

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

const stepMs = 60_000;
const rememberedKeys = 10_000;

/** When this instance last noted a key's use, so that most requests write nothing. */
const notedAtMs = new Map<string, number>();

/** Notes that a key was used, at most once a minute over all instances. It never fails: a request does not end for a date on a screen. */
export async function noteApiKeyUse(ctx: PlatformContext, { tenantId, keyId }: { tenantId: string; keyId: string }): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (nowMs - (notedAtMs.get(keyId) ?? 0) < stepMs) return;
  if (notedAtMs.size >= rememberedKeys) notedAtMs.clear();
  notedAtMs.set(keyId, nowMs);
  const [now, before] = [nowMs, nowMs - stepMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const use = update<KeyUseRow>(
    keys.apiKeyUse(keyId),
    { set: { id: keyId, lastUsedAt: now } },
    { lessThanOrAbsent: { lastUsedAt: before } },
  );
  await ctx.platform
    .inTenant(tenantId)
    .note(use)
    .catch((error: unknown) => ctx.log("warn", "apiKey.use_not_noted", errorFields(error)));
}

/** One wording for whatever is wrong with a credential. */
export const refused = (): AppError => new AppError("unauthenticated", "The API key is missing or not valid.");

/** For the holder of a right credential of a tenant that is switched off, and for nobody else. */
export const inactive = (): AppError =>
  new AppError("tenant_inactive", "This organization is inactive, so it is not served. Please contact the platform's administrator.");

/** The one credential that a request presents. AppError `unauthenticated` for none and for several that differ. */
export function onlyOne(presented: readonly string[]): string {
  const [key, ...others] = new Set(presented);
  if (key === undefined || others.length > 0) throw refused();
  return key;
}
