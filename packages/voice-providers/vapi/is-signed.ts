import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Signed } from "../port.ts";

const windowMs = 5 * 60_000;
/** Seconds since 1970 stay below this for 3000 years, milliseconds have been above since 1973. */
const leastMilliseconds = 1e11;

/**
 * Whether Vapi's credential holds this secret. With `x-signature` by HMAC-SHA256 over `{x-timestamp}.{body}`, hex or base64,
 * at most five minutes from now in either direction. Without one by the secret itself: as `X-Vapi-Secret` or as a bearer
 * token, and where both are there, by both. Source: Vapi server SDK 2.0.1 HmacAuthenticationPlan, BearerAuthenticationPlan;
 * the unit of the timestamp is nowhere said.
 */
export function isSigned({ header, rawBody, secret, now }: Signed): boolean {
  const signature = header("x-signature");
  if (signature !== undefined) return isSignature({ signature, timestamp: header("x-timestamp") ?? "", rawBody, secret, now });
  const authorization = header("authorization");
  const shown = [header("x-vapi-secret"), authorization && (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "")].filter(
    (one) => one !== undefined,
  );
  return shown.length > 0 && shown.every((one) => isSame(sha256(one), sha256(secret)));
}

type Signature = { signature: string; timestamp: string; rawBody: Buffer; secret: string; now: Date };

function isSignature({ signature, timestamp, rawBody, secret, now }: Signature): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  const at = Number(timestamp) < leastMilliseconds ? Number(timestamp) * 1000 : Number(timestamp);
  if (Math.abs(now.getTime() - at) > windowMs) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest();
  return isSame(bytesOf(signature.trim().replace(/^sha256=/i, "")), expected);
}

const bytesOf = (signature: string): Buffer => Buffer.from(signature, /^[0-9a-f]{64}$/i.test(signature) ? "hex" : "base64");
const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
