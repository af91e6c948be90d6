import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import {
  amount,
  flag,
  id,
  instant,
  isEqual,
  list,
  milliseconds,
  object,
  record,
  seconds,
  text,
  unknown,
  enumWord,
} from "../decoding/fields.ts";
import type { SignedRequest } from "../voice-platform.ts";

const utterances = list(object({ role: enumWord, content: text, words: list(object({ start: seconds })) }));

/**
 * The fields read from Retell's call object; recordings, logs, metadata and tool traffic are left out on purpose. Times are in
 * milliseconds, `combined_cost` in US cents. Source: retell-sdk 5.66.1 PhoneCallResponse and WebCallResponse.
 */
export const Call = object({
  call_id: unknown,
  agent_id: id,
  agent_name: text,
  call_type: enumWord,
  direction: enumWord,
  from_number: id,
  to_number: id,
  call_status: enumWord,
  retell_llm_dynamic_variables: object({ language: enumWord }),
  collected_dynamic_variables: object({ language: enumWord }),
  disconnection_reason: text,
  start_timestamp: instant,
  end_timestamp: instant,
  duration_ms: milliseconds,
  transfer_destination: text,
  transcript: text,
  transcript_object: utterances,
  scrubbed_transcript_with_tool_calls: utterances,
  call_analysis: object({
    call_summary: text,
    call_successful: flag,
    in_voicemail: flag,
    user_sentiment: text,
    custom_analysis_data: record,
  }),
  call_cost: object({ combined_cost: amount, total_duration_seconds: seconds }),
  latency: object({ e2e: object({ p50: milliseconds, p95: milliseconds }) }),
});
export type Call = NonNullable<z.infer<typeof Call>>;

const windowMs = 5 * 60 * 1000;

/**
 * Checks `x-retell-signature: v=<milliseconds>,d=<hex>`, an HMAC-SHA256 of the raw body and the milliseconds, at most five minutes
 * old or ahead. Source: retell-sdk 5.66.1 verify.
 */
export function hasValidSignature({ header, rawBody, secret, now }: SignedRequest): boolean {
  const [, milliseconds, hex] = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i.exec(header("x-retell-signature") ?? "") ?? [];
  if (milliseconds === undefined || hex === undefined) return false;
  const signedAtMs = Number(milliseconds);
  if (Math.abs(now.getTime() - signedAtMs) > windowMs) return false;
  const digest = createHmac("sha256", secret).update(rawBody).update(String(signedAtMs)).digest();
  return isEqual(digest, Buffer.from(hex, "hex"));
}
