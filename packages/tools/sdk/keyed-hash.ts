import { keyedHash } from "@vitaline/core";

/** Hashes for different purposes cannot be compared. */
type Purpose = "attempts" | "binding" | "proxy-speaker" | "spoken-for" | "caller-limits" | "contact-changes" | "one-time-code" | "person";

/** Keyed, because names, birth dates, numbers and addresses are few enough to guess. */
export const scopedHash = (purpose: Purpose, tenantId: string, parts: readonly string[]): string =>
  keyedHash(purpose, [tenantId, ...parts]);
