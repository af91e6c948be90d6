import { AppError } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";

export type Addresses = { baseUrl: string; tokenUrl?: string; authUrl?: string; redirectUri?: string };

const fields = ["baseUrl", "authUrl", "tokenUrl", "redirectUri"] as const;

/** A placeholder of a vendor preset such as "{tenant}", also percent-encoded. */
const placeholder = /(?:\{|%7B)(?:(?!%7[BD])[^{}])*(?:\}|%7D)?/i;

export function findPlaceholder(addresses: Addresses): { field: string; placeholder: string } | undefined {
  for (const field of fields) {
    const [found] = placeholder.exec(addresses[field] ?? "") ?? [];
    if (found) return { field, placeholder: found };
  }
  return undefined;
}

/** The normalized addresses, with placeholders as typed. AppError `invalid_request` for one that the outbound guard would refuse. */
export function checkAddresses({ baseUrl, tokenUrl, authUrl, redirectUri }: Addresses): Addresses {
  const checked = { baseUrl: checkBaseUrl(baseUrl), tokenUrl: tokenUrl && callable("tokenUrl", tokenUrl), authUrl, redirectUri };
  for (const page of ["authUrl", "redirectUri"] as const) if (checked[page]) checkPage(page, checked[page]);
  return checked;
}

/** Whether the credentials would go to another FHIR or token origin. */
export const changesOrigin = (before: Addresses, after: Addresses): boolean =>
  new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin || tokenOrigin(before) !== tokenOrigin(after);

/** Without a token URL, tokens are requested from the base URL's origin. */
const tokenOrigin = ({ baseUrl, tokenUrl }: Addresses): string => new URL(tokenUrl ?? baseUrl).origin;

/** AppError `not_doable` for an active provider with a placeholder; names the field. */
export function checkActive(isActive: boolean, addresses: Addresses): void {
  const found = isActive ? findPlaceholder(addresses) : undefined;
  if (!found) return;
  const sentence = `Replace ${found.placeholder} before the provider is enabled.`;
  throw new AppError("not_doable", sentence, { fields: { [found.field]: sentence } });
}

/** Paths are appended to the base URL, so it has no trailing slash and no query. */
export function checkBaseUrl(typed: string): string {
  const address = callable("baseUrl", typed);
  if (/[?#]/.test(address)) throw fieldError("baseUrl", "Must not hold a query or fragment");
  return address.replace(/\/+$/, "");
}

/** Refuses here what the outbound guard would refuse later during a call. */
function callable(field: string, typed: string): string {
  if (!isCallable(typed)) throw fieldError(field, "Must be an https address on the public internet, without user name or password");
  return new URL(typed).href.replaceAll("%7B", "{").replaceAll("%7D", "}");
}

function checkPage(field: string, typed: string): void {
  const { protocol, username, password } = new URL(typed);
  if (!/^https?:$/.test(protocol) || username || password) throw fieldError(field, "Must be a web address without user name or password");
}

const fieldError = (field: string, text: string): AppError =>
  new AppError("invalid_request", "Please check the addresses of the FHIR server.", { fields: { [field]: text } });
