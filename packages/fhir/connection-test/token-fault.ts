import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { bodyAs } from "../http/payload-schemas.ts";
import { type ConnectionFault, responseFault, tenantFault } from "./connection-fault.ts";

/** RFC 6749 section 5.2. */
const TokenErrorResponse = z.looseObject({ error: z.string(), error_description: z.catch(z.nullish(z.string()), undefined) });

const byError: Record<string, ConnectionFault> = {
  invalid_client: "invalid_client",
  unauthorized_client: "invalid_client",
  invalid_scope: "invalid_scope",
  temporarily_unavailable: "unavailable",
};

/** RFC 7523 has no error codes for assertions, so the free text selects one of our faults; it is never passed on. */
const byDescription: [ConnectionFault, RegExp][] = [
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
/** A wrong signature is described with the word "key" too, but the key was found. */
const aboutSignature = /\bsignature\b/i;

/** Assertions live for minutes, so a larger difference means that one clock is wrong. */
const maxSkewMs = 60_000;

/** The fault of a token endpoint's error response. `signs`: the client used an assertion. */
export function tokenFault(
  response: OutboundResponse,
  { signs, now, hasTenantPath }: { signs: boolean; now: Date; hasTenantPath?: boolean | undefined },
): ConnectionFault {
  const body = bodyAs(TokenErrorResponse, response);
  if (!body) return tenantFault(response, hasTenantPath) ?? responseFault(response) ?? "token_refused";
  const text = body.error_description ?? "";
  // Some servers answer invalid_request for a bad assertion.
  const isAboutClient = body.error === "invalid_request" && /\b(?:client|assertion|secret|jwt)\b/i.test(text);
  const fault = isAboutClient ? "invalid_client" : byError[body.error];
  if (/\btenant\b/i.test(text)) return "tenant_refused";
  if (fault !== "invalid_client" || !signs) return fault ?? "token_refused";
  const described = aboutSignature.test(text) ? undefined : byDescription.find(([, pattern]) => pattern.test(text))?.[0];
  return described ?? (isClockSkewed(response, now) ? "clock_skew" : fault);
}

/** By the Date header (RFC 9110 6.6.1). */
function isClockSkewed({ headers }: OutboundResponse, now: Date): boolean {
  const there = Date.parse(headers.date ?? "");
  return Math.abs(there - now.getTime()) > maxSkewMs;
}
