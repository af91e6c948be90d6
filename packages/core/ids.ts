import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
let lastMs = 0;
let lastTail = 0n;

const base32 = (value: bigint, length: number): string => {
  let text = "";
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = alphabet[Number(rest & 31n)] + text;
  return text;
};

/** A lower-case ULID of 26 characters; monotonic within one process. Source: github.com/ulid/spec. */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs === lastMs) lastTail += 1n;
  else {
    lastMs = nowMs;
    // The top bit stays free so that increments within a millisecond cannot overflow.
    lastTail = BigInt(`0x${randomBytes(10).toString("hex")}`) >> 1n;
  }
  return base32(BigInt(nowMs), 10) + base32(lastTail, 16);
}

/** The smallest id of an instant: a bound for key ranges. */
export const idFloor = (ms: number): string => base32(BigInt(Math.max(0, ms)), 10) + "0".repeat(16);

/** A deterministic id: the same for the same instant, domain and parts. */
export const deterministicId = (ms: number, domain: string, ...parts: string[]): string =>
  idFloor(ms).slice(0, 10) + sha256In(domain, ...parts).slice(0, 16);

/** SHA-256 as 64 hex digits, separated by domain: the same parts in another domain give another digest. */
export const sha256In = (domain: string, ...parts: string[]): string =>
  createHash("sha256")
    .update([domain, ...parts].map((part) => `${Buffer.byteLength(part)}:${part}`).join(""))
    .digest("hex");
