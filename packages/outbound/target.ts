import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress, isPublicName } from "./addresses.ts";
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

  const portIsUsual = url.port === "" || (url.origin === savedOrigin && !otherServices.has(Number(url.port)));
  if (url.protocol !== "https:" || !portIsUsual || isOurs(url.hostname)) throw new OutboundError("outbound_refused");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A literal skips DNS, so the lookup below would never see it.
  if (!(isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host))) throw new OutboundError("outbound_refused");
  return { url, loopback: false, accepts: isPublicAddress };
}

/** Ports of services that are no web servers, which no administrator can open. https://fetch.spec.whatwg.org/#port-blocking */
const otherServices = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115],
  ...[117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587],
  ...[601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666],
  ...[6667, 6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017],
]);

/** Our own address and what lies below it: a call to ourselves would come from inside. */
function isOurs(hostname: string): boolean {
  const origin = process.env.PUBLIC_ORIGIN;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [own, asked] = [new URL(origin).hostname, hostname.replace(/\.+$/, "")];
  return asked === own || asked.endsWith(`.${own}`);
}

/** Whether the guard would let an address through that somebody has just typed, as far as the address alone tells. */
export function isCallable(address: string): boolean {
  try {
    return checkTarget(address, new URL(address).origin) !== undefined;
  } catch {
    return false;
  }
}
