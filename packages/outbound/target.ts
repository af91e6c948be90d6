import type { LookupAddress, LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isLoopbackAddress, isPublicAddress, isPublicName } from "./addresses.ts";
import { OutboundError } from "./errors.ts";

/** A URL that may be called, and the IP addresses it may resolve to. */
export interface Target {
  url: URL;
  loopback: boolean;
  accepts(address: string): boolean;
}

/**
 * Checks a URL before DNS; OutboundError `outbound_refused`. `new URL` has already normalized every spelling of an IPv4
 * address (decimal, octal, hexadecimal, short, full-width) to dotted form.
 */
export function checkTarget(address: string, savedOrigin: string | undefined): Target {
  if (!URL.canParse(address)) throw new OutboundError("outbound_refused");
  const url = new URL(address);
  if (url.username || url.password) throw new OutboundError("outbound_refused");
  if (isAllowedLoopback(url.origin)) return { url, loopback: true, accepts: isLoopbackAddress };

  const isPortAllowed = url.port === "" || (url.origin === savedOrigin && !blockedPorts.has(Number(url.port)));
  if (url.protocol !== "https:" || !isPortAllowed || isOwnHost(url.hostname)) throw new OutboundError("outbound_refused");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // An IP literal skips DNS, so checkedLookup never sees it.
  if (!(isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host))) throw new OutboundError("outbound_refused");
  return { url, loopback: false, accepts: isPublicAddress };
}

/** Whether `checkTarget` accepts a URL as an origin that an administrator saves; DNS is not asked. */
export function isCallable(address: string): boolean {
  try {
    return checkTarget(address, new URL(address).origin) !== undefined;
  } catch {
    return false;
  }
}

/** `dns.lookup` with `all`, or its replacement in a test. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Checks DNS results inside the connection, so that they cannot change between the check and the connect (DNS rebinding).
 * One refused address refuses the whole answer.
 */
export function checkedLookup(resolveAll: ResolveAll, accepts: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new OutboundError("outbound_unreachable"), []);
      if (!addresses.every(({ address }) => accepts(address))) return done(new OutboundError("outbound_refused"), []);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** The account id of the local stage; AWS never issues it. */
const localAccount = "000000000000";
const arnPattern = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:(\d{12}):function:/;

let invokedLocally = false;

/**
 * Call at the start of every invocation with `context.invokedFunctionArn`. Lambda supplies this ARN and configuration cannot,
 * so EGRESS_LOOPBACK_ORIGINS has no effect in a real account.
 */
export function allowLoopback(invokedFunctionArn: string): void {
  invokedLocally = arnPattern.exec(invokedFunctionArn)?.[1] === localAccount;
}

/** Whether EGRESS_LOOPBACK_ORIGINS, comma-separated, lists this exact loopback origin. */
function isAllowedLoopback(origin: string): boolean {
  if (!invokedLocally) return false;
  const allowed = (process.env.EGRESS_LOOPBACK_ORIGINS ?? "").split(",").map((entry) => entry.trim());
  return allowed.includes(origin) && isLoopbackHost(new URL(origin).hostname);
}

const isLoopbackHost = (hostname: string) => hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));

/** Whether a host is our own domain or a subdomain: a call to ourselves would come from inside. */
function isOwnHost(hostname: string): boolean {
  const origin = process.env.PUBLIC_ORIGIN;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [own, host] = [new URL(origin).hostname, hostname.replace(/\.+$/, "")];
  return host === own || host.endsWith(`.${own}`);
}

/** Ports of non-HTTP services. Source: https://fetch.spec.whatwg.org/#port-blocking */
const blockedPorts = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115],
  ...[117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587],
  ...[601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666],
  ...[6667, 6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017],
]);
