import { AppError } from "@vitaline/core";

/** One wording for whatever is wrong with a credential. */
export const refused = (): AppError => new AppError("unauthenticated", "The API key is missing or not valid.");

/** The one credential that a request presents. AppError `unauthenticated` for none and for several that differ. */
export function onlyOne(presented: readonly string[]): string {
  const [key, ...others] = new Set(presented);
  if (key === undefined || others.length > 0) throw refused();
  return key;
}
