import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { sha256In } from "@vitaline/core";

const prefix = "vtl_live_";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const pattern = /^vtl_live_[0-9A-Za-z]{36}$/;

const randomBase62 = (length: number): string => {
  let text = "";
  // Larger bytes would favor the first characters.
  while (text.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
};

const checksum = (random: string): string => {
  let text = "";
  for (let rest = crc32(random), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
};

/** `vtl_live_<30 base62><6 base62 of CRC32>`: 178 random bits, a prefix for secret scanners, a checksum against typos. */
export const newApiKey = (): string => {
  const random = randomBase62(randomLength);
  return `${prefix}${random}${checksum(random)}`;
};

/** Checks the checksum without I/O. */
export const isWellFormed = (key: string): boolean =>
  pattern.test(key) && checksum(key.slice(prefix.length, prefix.length + randomLength)) === key.slice(-6);

/** The key is random enough that a plain hash is safe. */
export const lookupOf = (key: string): string => sha256In("tenant-api-key", key);
