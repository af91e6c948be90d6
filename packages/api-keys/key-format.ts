import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { digest } from "@vitaline/core";

const prefix = "vtl_live_";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const shape = /^vtl_live_[0-9A-Za-z]{36}$/;

const randomBase62 = (length: number): string => {
  let text = "";
  // Bytes from 248 up would favour the first letters: they are thrown away.
  while (text.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
};

const checksum = (random: string): string => {
  let text = "";
  for (let rest = crc32(random), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
};

/** `vtl_live_<30 base62><6 base62 of CRC32>`: 178 bits of chance, a prefix that secret scanners know, a checksum against typos. */
export const newApiKey = (): string => {
  const random = randomBase62(randomLength);
  return `${prefix}${random}${checksum(random)}`;
};

/** Whether this could be a key at all; junk is turned away without any I/O. */
export const isWellFormed = (key: string): boolean =>
  shape.test(key) && checksum(key.slice(prefix.length, prefix.length + randomLength)) === key.slice(-6);

/** How a key is looked up. The key is random enough that a plain hash needs no pepper. */
export const lookupOf = (key: string): string => digest("tenant-api-key", key);
