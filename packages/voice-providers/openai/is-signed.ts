import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signed } from "../port.ts";

const toleranceSeconds = 300;
/** A secret that is being replaced has two. */
const mostSignatures = 8;
const prefix = "whsec_";

/**
 * Standard Webhooks: `webhook-signature` lists `v1,<base64>` of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, the
 * timestamp in seconds. A secret without `whsec_` is the key itself. Source: standardwebhooks.com, openai 7.55.0 verifySignature.
 */
export function isSigned({ header, rawBody, secret, now }: Signed): boolean {
  const [id, timestamp, list] = ["id", "timestamp", "signature"].map((name) => header(`webhook-${name}`)?.trim() ?? "");
  if (!id || !list || !/^\d{1,12}$/.test(timestamp ?? "")) return false;
  if (Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp)) > toleranceSeconds) return false;
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
  const signatures = list.split(/\s+/);
  if (key.length === 0 || signatures.length > mostSignatures) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  return signatures.some((signature) => isSame(expected, signature));
}

const isSame = (expected: Buffer, signature: string): boolean => {
  const [, base64 = ""] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
  return base64 !== "" && timingSafeEqual(expected, Buffer.from(base64, "base64"));
};
