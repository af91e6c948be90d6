import { isIPv4, isIPv6 } from "node:net";

/** The eight groups of an IPv6 address, each as a number. */
const groupsOf = (address: string): number[] => {
  const [hostname = ""] = address.split("%");
  const canonical = new URL(`http://[${hostname}]/`).hostname.slice(1, -1);
  const [before = "", after] = canonical.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [left, right] = [groups(before), groups(after ?? "")];
  return after === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
};

/**
 * The line from which somebody calls, to count by: an IPv4 address, of an IPv6 address its first 64 bits, as whoever has one of them
 * has all of them. What is no address stays as it is. Source: RFC 6177, RFC 4291 section 2.5.5.2 for IPv4 within IPv6.
 */
export function networkOf(address: string): string {
  if (isIPv4(address) || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
