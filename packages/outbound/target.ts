import type { LookupAddress, LookupAllOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { AppError, type ErrorCode } from "@vitaline/core";

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
export function checkTarget(address: string, registeredOrigin: string | undefined): Target {
  if (!URL.canParse(address)) throw new OutboundError("outbound_refused");
  const url = new URL(address);
  if (url.username || url.password) throw new OutboundError("outbound_refused");
  if (isAllowedLoopback(url.origin)) return { url, loopback: true, accepts: isLoopbackAddress };

  const isPortAllowed = url.port === "" || (url.origin === registeredOrigin && !blockedPorts.has(Number(url.port)));
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

type OutboundCode = Extract<ErrorCode, `outbound_${string}`>;

const messages: Record<OutboundCode, string> = {
  outbound_refused: "This address may not be called.",
  outbound_timeout: "The other system did not answer in time.",
  outbound_unreachable: "The other system could not be reached.",
  outbound_too_large: "The other system's answer was too large.",
  outbound_redirect: "The other system answered with a redirect, which is not followed.",
};

/** A call without a response. `sent`: the other system may have received the request. */
export class OutboundError extends AppError {
  readonly sent: boolean;

  constructor(code: OutboundCode, { sent = false, cause }: { sent?: boolean; cause?: unknown } = {}) {
    super(code, messages[code], { cause });
    this.name = "OutboundError";
    this.sent = sent;
  }
}

const listOf = (family: "ipv4" | "ipv6", subnets: string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", bits] = subnet.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};

/** Non-public blocks of the IANA special-purpose registry, multicast and the reserved block. */
const specialV4 = listOf("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  // Azure's wire server, which has a public address
  "168.63.129.16/32",
]);
const globalV6 = listOf("ipv6", ["2000::/3"]);
/** Inside the global block: Teredo and other protocol assignments, documentation, 6to4 (which embeds any IPv4 address). */
const specialV6 = listOf("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);
const loopbackV4 = listOf("ipv4", ["127.0.0.0/8"]);

/** Whether an IP literal is public; zones and IPv4 embedded in IPv6 are not. */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !specialV4.check(address, "ipv4");
  return family === 6 && globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}

/** Names that are never in public DNS: RFC 6761, RFC 6762, RFC 8375, ICANN's "internal", and single labels. */
const privateName = /^[^.]*$|\.(localhost|local|internal|home\.arpa)$/i;

/** Whether a host name may be public; its addresses are checked after DNS. */
export const isPublicName = (name: string): boolean => !privateName.test(name.replace(/\.+$/, ""));

export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) === 4 ? loopbackV4.check(address, "ipv4") : address === "::1";
