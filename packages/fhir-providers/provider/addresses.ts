import { AppError } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";

export type Addresses = { baseUrl: string; tokenUrl?: string; authUrl?: string; redirectUri?: string };

const fields = ["baseUrl", "authUrl", "tokenUrl", "redirectUri"] as const;

/** What vendors' presets leave open: "{tenant}", also as it is written into an address. */
const placeholder = /(?:\{|%7B)(?:(?!%7[BD])[^{}])*(?:\}|%7D)?/i;

/** The first field that still holds a placeholder, and the placeholder. */
export function findPlaceholder(addresses: Addresses): { field: string; placeholder: string } | undefined {
  for (const field of fields) {
    const [found] = placeholder.exec(addresses[field] ?? "") ?? [];
    if (found) return { field, placeholder: found };
  }
  return undefined;
}

/** The addresses as they are kept: what we call is what the outbound guard lets through, placeholders stay as typed. AppError `invalid_request`. */
export function checkAddresses({ baseUrl, tokenUrl, authUrl, redirectUri }: Addresses): Addresses {
  const checked = { baseUrl: checkBaseUrl(baseUrl), tokenUrl: tokenUrl && callable("tokenUrl", tokenUrl), authUrl, redirectUri };
  for (const page of ["authUrl", "redirectUri"] as const) if (checked[page]) checkPage(page, checked[page]);
  return checked;
}

/** Whether credentials would reach another server than before: another origin of FHIR, or of where tokens are given. */
export const changesOrigin = (before: Addresses, after: Addresses): boolean =>
  new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin || tokenOrigin(before) !== tokenOrigin(after);

/** Without a token address of its own, tokens are asked for where the base is. */
const tokenOrigin = ({ baseUrl, tokenUrl }: Addresses): string => new URL(tokenUrl ?? baseUrl).origin;

/** What is switched on must be whole. AppError `not_doable` that names the placeholder and its field. */
export function checkActive(isActive: boolean, addresses: Addresses): void {
  const left = isActive ? findPlaceholder(addresses) : undefined;
  if (!left) return;
  const sentence = `Replace ${left.placeholder} before the provider is enabled.`;
  throw new AppError("not_doable", sentence, { fields: { [left.field]: sentence } });
}

/** Paths are appended to it, so it ends without a slash and holds no query. */
export function checkBaseUrl(typed: string): string {
  const address = callable("baseUrl", typed);
  if (/[?#]/.test(address)) throw refused("baseUrl", "Must not hold a query or fragment");
  return address.replace(/\/+$/, "");
}

/** What the outbound guard would refuse in a patient's call is refused while the person who typed it is still here. */
function callable(field: string, typed: string): string {
  if (!isCallable(typed)) throw refused(field, "Must be an https address on the public internet, without user name or password");
  return new URL(typed).href.replaceAll("%7B", "{").replaceAll("%7D", "}");
}

/** An address that a browser is sent to; we never call it. */
function checkPage(field: string, typed: string): void {
  const { protocol, username, password } = new URL(typed);
  if (!/^https?:$/.test(protocol) || username || password) throw refused(field, "Must be a web address without user name or password");
}

const refused = (field: string, text: string): AppError =>
  new AppError("invalid_request", "Please check the addresses of the FHIR server.", { fields: { [field]: text } });
