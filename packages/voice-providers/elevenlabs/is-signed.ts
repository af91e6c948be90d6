import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signed } from "../port.ts";

const oldestSeconds = 30 * 60;
/** The platform's clock may be ahead of ours. */
const mostAheadSeconds = 5 * 60;
const mostSignatures = 8;

/**
 * `ElevenLabs-Signature: t=<seconds since 1970>,v0=<hex>`, where v0 is HMAC-SHA256 of `<t>.<body>` under the webhook's secret;
 * while a secret is being replaced there may be several. Source: elevenlabs-js 2.73.0 webhooks.constructEvent, which knows no
 * bound in the future.
 */
export function isSigned({ header, rawBody, secret, now }: Signed): boolean {
  const parts = (header("elevenlabs-signature") ?? "").split(",").map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith("t="));
  const signatures = parts.filter((part) => part.startsWith("v0=")).map((part) => part.slice("v0=".length));
  const time = times[0]?.slice("t=".length) ?? "";
  if (secret === "" || times.length !== 1 || signatures.length > mostSignatures || !/^\d{1,12}$/.test(time)) return false;
  const ageSeconds = now.getTime() / 1000 - Number(time);
  if (ageSeconds > oldestSeconds || ageSeconds < -mostAheadSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest();
  return signatures.filter((signature) => isSame(expected, signature)).length > 0;
}

const isSame = (expected: Buffer, signature: string): boolean =>
  /^[0-9a-f]{64}$/i.test(signature) && timingSafeEqual(expected, Buffer.from(signature, "hex"));
