import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { responseFault, type ConnectionFault, tenantFault } from "./connection-fault.ts";
import { bodyAs } from "../http/payload-schemas.ts";

const byError: Record<string, ConnectionFault> = {
  invalid_client: "invalid_client",
  unauthorized_client: "invalid_client",
  invalid_scope: "invalid_scope",
  temporarily_unavailable: "unavailable",
};

/**
 * What servers say of an assertion that they do not take, as RFC 7523 has no codes for it. The words decide on one of our own
 * sentences and go nowhere.
 */
const byWords: [ConnectionFault, RegExp][] = [
  [
    "wrong_algorithm",
    /\balg\w*\b[^.]*\b(?:not (?:supported|allowed|accepted)|unsupported|invalid)\b|\b(?:unsupported|another|invalid|wrong)\b[^.]*\balg/i,
  ],
  [
    "key_not_found",
    /\b(?:not?|none|unknown|missing|cannot|couldn't|unable|fail\w*|exactly one)\b[^.]*\b(?:kid|jwks?|key ?sets?|keys?)\b|\b(?:kid|jwks?|key ?sets?|keys?)\b[^.]*\b(?:not|unknown|missing|couldn't|unable|fail\w*)\b/i,
  ],
  ["wrong_algorithm", /\balg(?:orithms?)?\b|\b[REP]S(?:256|384|512)\b/i],
  [
    "clock_skew",
    /\b(?:iat|nbf|exp|expired?|expiration|expiry|lifetime|clock|skew|issued.?at|not.?before|not yet valid|in the future|too (?:old|far))\b/i,
  ],
];
/** The wrong key, or one that is not ours: said with the word "key", and no failure to find one. */
const aboutSignature = /\bsignature\b/i;

/** Assertions are issued some seconds back and last minutes; further apart than this, one clock is wrong. */
const mostApartMs = 60_000;

/** Why a token endpoint's answer is no token. */
export function tokenFault(
  answer: OutboundResponse,
  { signs, now, hasTenantPath }: { signs: boolean; now: Date; hasTenantPath?: boolean | undefined },
): ConnectionFault {
  const refusal = bodyAs(TokenErrorResponse, answer);
  if (!refusal) return tenantFault(answer, hasTenantPath) ?? responseFault(answer) ?? "token_refused";
  const text = refusal.error_description ?? "";
  // Some servers call a bad assertion a bad request.
  const ofClient = refusal.error === "invalid_request" && /\b(?:client|assertion|secret|jwt)\b/i.test(text);
  const fault = ofClient ? "invalid_client" : byError[refusal.error];
  if (/\btenant\b/i.test(text)) return "tenant_refused";
  if (fault !== "invalid_client" || !signs) return fault ?? "token_refused";
  const told = aboutSignature.test(text) ? undefined : byWords.find(([, words]) => words.test(text))?.[0];
  return told ?? (isApart(answer, now) ? "clock_skew" : fault);
}

/** By the Date header (RFC 9110 6.6.1), which nearly every server sends. */
function isApart({ headers }: OutboundResponse, now: Date): boolean {
  const there = Date.parse(headers.date ?? "");
  return Math.abs(there - now.getTime()) > mostApartMs;
}

/** RFC 6749 section 5.2. */
const TokenErrorResponse = z.looseObject({ error: z.string(), error_description: z.catch(z.nullish(z.string()), undefined) });
