import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
let lastMs = 0;
let lastTail = 0n;

const base32 = (value: bigint, length: number): string => {
  let text = "";
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = alphabet[Number(rest & 31n)] + text;
  return text;
};

/**
 * A lower-case ULID (26 of [0-9a-z]): 48 bits of milliseconds, 80 of chance; later ids sort later, also within one millisecond.
 * Source: github.com/ulid/spec.
 */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs === lastMs) lastTail += 1n;
  else {
    lastMs = nowMs;
    // The top bit stays free so that counting up within a millisecond cannot overflow.
    lastTail = BigInt(`0x${randomBytes(10).toString("hex")}`) >> 1n;
  }
  return base32(BigInt(nowMs), 10) + base32(lastTail, 16);
}

/** The smallest id that could have been made at this instant: a bound for key ranges. */
export const idFloor = (ms: number): string => base32(BigInt(Math.max(0, ms)), 10) + "0".repeat(16);

/** An id of that instant that is the same each time it is made of the same parts. */
export const idFrom = (ms: number, domain: string, ...parts: string[]): string =>
  idFloor(ms).slice(0, 10) + digest(domain, ...parts).slice(0, 16);

/** SHA-256 as 64 hex digits over a named domain, so that a digest made for one purpose means nothing for another. */
export const digest = (domain: string, ...parts: string[]): string =>
  createHash("sha256")
    .update([domain, ...parts].map((part) => `${Buffer.byteLength(part)}:${part}`).join(""))
    .digest("hex");
