import { isIPv4, isIPv6 } from "node:net";
import { PlatformCallId } from "@vitaline/contract/voice/vapi.ts";
import * as z from "zod/mini";

/**
 * The key for per-client rate limits: an IPv4 address, also one mapped into IPv6, or the /64 prefix of an IPv6 address. Any
 * other text is returned unchanged. Source: RFC 6177; RFC 4291 section 2.5.5.2.
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

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  const [hostname = ""] = address.split("%");
  const canonical = new URL(`http://[${hostname}]/`).hostname.slice(1, -1);
  const [before = "", after] = canonical.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [left, right] = [groups(before), groups(after ?? "")];
  return after === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects are nested deeper than `levels`; recursion stops there. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

/** Braces of a template, ElevenLabs' system variables, and what template engines print for a missing value. */
const unfilled = /\{\{|\}\}|^system__|^(none|null|undefined)$/i;

/**
 * The trimmed value of a template variable in a voice platform's request; undefined when the platform did not fill it in,
 * because an unfilled variable is the same in every call and would give all calls one id. Also undefined for other types,
 * empty text, and text longer than an id.
 */
export function templateValue(value: unknown): string | undefined {
  const { data: text } = z.safeParse(PlatformCallId, value);
  return text === undefined || unfilled.test(text) ? undefined : text;
}
