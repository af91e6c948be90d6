import { keyedHash } from "@vitaline/core";

/** What is hidden for one purpose says nothing of the same thing hidden for another. */
type Purpose = "attempts" | "contact-changes" | "person";

/** A keyed hash of what is few enough to be guessed: names, birth dates, numbers and addresses. */
export const hidden = (purpose: Purpose, tenantId: string, parts: readonly string[]): string => keyedHash(purpose, [tenantId, ...parts]);
