import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";
import { OutboundError } from "./errors.ts";
import { isOpenedLoopback } from "./loopback.ts";

/** An address that may be called, and which IP addresses it may lead to. */
export interface Target {
  url: URL;
  loopback: boolean;
  accepts(address: string): boolean;
}

/**
 * What can be told from the address alone. `new URL` has already turned every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, short, full-width) into dotted form.
 */
export function checkTarget(address: string, savedOrigin: string | undefined): Target {
  if (!URL.canParse(address)) throw new OutboundError("outbound_refused");
  const url = new URL(address);
  if (url.username || url.password) throw new OutboundError("outbound_refused");
  if (isOpenedLoopback(url.origin)) return { url, loopback: true, accepts: isLoopbackAddress };

  const portIsUsual = url.port === "" || url.origin === savedOrigin;
  if (url.protocol !== "https:" || !portIsUsual) throw new OutboundError("outbound_refused");
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  // A literal skips DNS, so the lookup below would never see it.
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new OutboundError("outbound_refused");
  return { url, loopback: false, accepts: isPublicAddress };
}

/** Whether the guard would let an address through that somebody has just typed, as far as the address alone tells. */
export function isCallable(address: string): boolean {
  try {
    return checkTarget(address, new URL(address).origin) !== undefined;
  } catch {
    return false;
  }
}
