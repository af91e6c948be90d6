import { isKeyedHash, keyedHash, keyedHashes, type KeyPurpose } from "@vitaline/core";

/** Hashes for different purposes cannot be compared. */
type Purpose = Extract<
  KeyPurpose,
  "attempts" | "binding" | "proxy-speaker" | "spoken-for" | "caller-limits" | "contact-changes" | "one-time-code" | "person"
>;

/** Keyed, because names, birth dates, numbers and addresses are few enough to guess. */
export const scopedHash = (purpose: Purpose, tenantId: string, parts: readonly string[]): string =>
  keyedHash(purpose, [tenantId, ...parts]);

/** The current one first, then as they were stored before a rotation of the key. */
export const scopedHashes = (purpose: Purpose, tenantId: string, parts: readonly string[]): string[] =>
  keyedHashes(purpose, [tenantId, ...parts]);

/** Whether it was stored for these parts, also before a rotation of the key. */
export const isScopedHash = (stored: string | undefined, purpose: Purpose, tenantId: string, parts: readonly string[]): boolean =>
  stored !== undefined && isKeyedHash(stored, purpose, [tenantId, ...parts]);
