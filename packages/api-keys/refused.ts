import { AppError } from "@vitaline/core";

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
