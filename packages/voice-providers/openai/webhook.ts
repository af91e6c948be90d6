import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import { isEqual, list, object, readCallId, unknown, untrimmedText, enumWord } from "../decoding/fields.ts";
import type { IncomingCall, SignedRequest } from "../voice-platform.ts";

/** `live.call.incoming` is the earlier name of `live.transport.incoming`. */
const Event = z.object({
  type: z.enum(["realtime.call.incoming", "live.transport.incoming", "live.call.incoming"]),
  data: object({ call_id: unknown, session_id: unknown, sip_headers: list(object({ name: enumWord, value: untrimmedText })) }),
});

/**
 * undefined for other events. A call may be announced to both APIs, with an id of each; the first to accept gets it. AppErrors as
 * readCallId. Source: openai 7.55.0 RealtimeCallIncomingWebhookEvent, LiveTransportIncomingWebhookEvent.
 */
export function decodeIncoming(body: unknown): (IncomingCall & { callId: string }) | undefined {
  const { data } = z.safeParse(Event, body);
  const isRealtime = data?.type === "realtime.call.incoming";
  const callId = isRealtime ? readCallId("data.call_id", data.data?.call_id) : readCallId("data.session_id", data?.data?.session_id);
  if (callId === undefined) return undefined;
  /** The first of duplicate headers counts. */
  const numberIn = (name: string) => sipNumber(data?.data?.sip_headers?.find((header) => header?.name === name)?.value);
  const [callerNumber, calledNumber] = [numberIn("from"), numberIn("to")];
  return { platform: "openai", callId, ...(callerNumber ? { callerNumber } : {}), ...(calledNumber ? { calledNumber } : {}) };
}

const address = /<\s*(sips?|tel):([^>]*)>|^\s*(sips?|tel):(\S*)/i;

/**
 * +16175550123 from `"Ann" <sip:+1-617-555-0123@host;x=y>;tag=z`; undefined for other addresses and withheld numbers. Source: RFC
 * 3261 20.10, RFC 3966.
 */
export function sipNumber(header: string | undefined): string | undefined {
  // Quoted display names are removed, they may contain anything.
  const found = address.exec((header ?? "").slice(0, 1000).replace(/"(?:[^"\\]|\\.)*"/g, ""));
  const user = /^[^@;?]*/.exec(found?.[2] ?? found?.[4] ?? "")?.[0] ?? "";
  const number = decoded(user).replace(/[\s().-]/g, "");
  return /^\+?\d{3,15}$/.test(number) ? number : undefined;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
};

const toleranceSeconds = 300;
/** There are two while a secret is rotated. */
const maxSignatures = 8;
const prefix = "whsec_";

/**
 * Standard Webhooks: `webhook-signature` lists `v1,<base64>`, an HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>` with
 * the timestamp in seconds. A secret without `whsec_` is the key itself. Source: standardwebhooks.com, openai 7.55.0
 * verifySignature.
 */
export function hasValidSignature({ header, rawBody, secret, now }: SignedRequest): boolean {
  const [id, timestamp, list] = ["id", "timestamp", "signature"].map((name) => header(`webhook-${name}`)?.trim() ?? "");
  if (!id || !list || !/^\d{1,12}$/.test(timestamp ?? "")) return false;
  if (Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp)) > toleranceSeconds) return false;
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
  const signatures = list.split(/\s+/);
  if (key.length === 0 || signatures.length > maxSignatures) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  return signatures.some((signature) => isEqual(expected, decodeSignature(signature)));
}

/** Empty if it is of another version or length. */
const decodeSignature = (signature: string): Buffer => Buffer.from(/^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1] ?? "", "base64");
