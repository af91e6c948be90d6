import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { AppError, type Context, errorFields, sha256In } from "@vitaline/core";
import { keys, type KeyUseRow, tenantStore, update } from "@vitaline/store";
import type { DirectoryContext } from "@vitaline/store/scoped.ts";

const prefix = "vtl_live_";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const pattern = /^vtl_live_[0-9A-Za-z]{36}$/;

const randomBase62 = (length: number): string => {
  let text = "";
  // Larger bytes would favor the first characters.
  while (text.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
};

const checksum = (random: string): string => {
  let text = "";
  for (let rest = crc32(random), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
};

/** `vtl_live_<30 base62><6 base62 of CRC32>`: 178 random bits, a prefix for secret scanners, a checksum against typos. */
export const newApiKey = (): string => {
  const random = randomBase62(randomLength);
  return `${prefix}${random}${checksum(random)}`;
};

/** Checks the checksum without I/O. */
export const isWellFormed = (key: string): boolean =>
  pattern.test(key) && checksum(key.slice(prefix.length, prefix.length + randomLength)) === key.slice(-6);

/** The key is random enough that a plain hash is safe. */
export const lookupOf = (key: string): string => sha256In("tenant-api-key", key);

/**
 * One strongly consistent read, never cached; none for a malformed key. AppError `unauthenticated` with one message for all
 * reasons, `tenant_inactive` for a valid key of an inactive tenant.
 */
export async function verifyApiKey(ctx: DirectoryContext, presented: string[]): Promise<{ tenantId: string; keyId: string }> {
  const key = singleCredential(presented);
  if (!isWellFormed(key)) throw invalidCredential();
  const row = await ctx.platform.get(keys.keyLookupBeforeTenant(lookupOf(key)));
  const expired = row?.notAfter !== undefined && Date.parse(row.notAfter) <= ctx.clock().getTime();
  if (!row || row.status !== "active" || expired) throw invalidCredential();
  if (row.suspended) throw tenantInactive();
  return { tenantId: row.tenantId, keyId: row.keyId };
}

const intervalMs = 60_000;
const maxCachedKeys = 10_000;

/** Per instance, so that most requests write nothing. */
const recordedAtMs = new Map<string, number>();

/** At most one write per minute over all instances. Never fails: the time of last use is only displayed. */
export async function recordApiKeyUse(ctx: Context, { tenantId, keyId }: { tenantId: string; keyId: string }): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (nowMs - (recordedAtMs.get(keyId) ?? 0) < intervalMs) return;
  if (recordedAtMs.size >= maxCachedKeys) recordedAtMs.clear();
  recordedAtMs.set(keyId, nowMs);
  const [now, before] = [nowMs, nowMs - intervalMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const use = update<KeyUseRow>(
    keys.apiKeyUse(keyId),
    { set: { id: keyId, lastUsedAt: now } },
    { lessThanOrAbsent: { lastUsedAt: before } },
  );
  await tenantStore(ctx, tenantId)
    .writeUnaudited(use)
    .catch((error: unknown) => ctx.log("warn", "apiKey.use_not_noted", errorFields(error)));
}

export const invalidCredential = (): AppError => new AppError("unauthenticated", "The API key is missing or not valid.");

/** Only for the holder of a valid credential. */
export const tenantInactive = (): AppError =>
  new AppError("tenant_inactive", "This organization is inactive, so it is not served. Please contact the platform's administrator.");

/** AppError `unauthenticated` for none, or for several different ones. */
export function singleCredential(presented: readonly string[]): string {
  const [key, ...others] = new Set(presented);
  if (key === undefined || others.length > 0) throw invalidCredential();
  return key;
}
