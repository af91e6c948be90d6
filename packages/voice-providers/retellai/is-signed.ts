import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signed } from "../port.ts";

const windowMs = 5 * 60 * 1000;

/**
 * Whether `x-retell-signature: v=<milliseconds>,d=<hex>` is the HMAC-SHA256 of the raw body and those milliseconds, of at
 * most five minutes ago or ahead. Source: retell-sdk 5.66.1 verify.
 */
export function isSigned({ header, rawBody, secret, now }: Signed): boolean {
  const [, milliseconds, hex] = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i.exec(header("x-retell-signature") ?? "") ?? [];
  if (milliseconds === undefined || hex === undefined) return false;
  const signedAtMs = Number(milliseconds);
  if (Math.abs(now.getTime() - signedAtMs) > windowMs) return false;
  const digest = createHmac("sha256", secret).update(rawBody).update(String(signedAtMs)).digest();
  return timingSafeEqual(digest, Buffer.from(hex, "hex"));
}
