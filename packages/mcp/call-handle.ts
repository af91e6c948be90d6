import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash } from "@vitaline/core";

/** A handle is good for this long after the answer that brought it. */
const lifetimeMinutes = 15;
const minuteMs = 60_000;
const pattern = /^([\w-]{16})\.(\d{1,10})\.([\w-]{22})$/;

/** Bound to the key's holder: another tenant's handle, or one under another key, is none. */
const sign = (holder: string, callId: string, untilMinute: number): string =>
  keyedHash("mcp-handle", [holder, callId, untilMinute]).slice(0, 22);

/** An id for a call whose platform names none. Nobody guesses it: whoever names it in a handle took part in the call. */
export const newCallId = (): string => randomBytes(12).toString("base64url");

/** What a client hands back to say that it is still the same call. */
export function handleOf(holder: string, callId: string, now: Date): string {
  const until = Math.floor(now.getTime() / minuteMs) + lifetimeMinutes;
  return `${callId}.${until}.${sign(holder, callId, until)}`;
}

/** The call of a handle that we gave to this holder and that is not over; undefined for any other text. */
export function callIdIn(holder: string, handle: string, now: Date): string | undefined {
  const [, callId = "", until = "", signature = ""] = pattern.exec(handle.trim()) ?? [];
  if (!callId || Number(until) * minuteMs < now.getTime()) return undefined;
  const expected = sign(holder, callId, Number(until));
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? callId : undefined;
}
