import { BlockList, isIP } from "node:net";

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
