import type { OutboundResponse } from "@vitaline/outbound";

/**
 * How long a server asks us to wait, in milliseconds: Retry-After as seconds or as a date (RFC 9110 10.2.3), else the
 * `t` of RateLimit (draft-ietf-httpapi-ratelimit-headers), which some servers send instead.
 */
export function retryAfterMs(headers: OutboundResponse["headers"], now: Date): number | undefined {
  const asked = headers["retry-after"]?.trim();
  if (asked !== undefined && /^\d+$/.test(asked)) return Number(asked) * 1000;
  const until = asked === undefined ? Number.NaN : Date.parse(asked);
  if (!Number.isNaN(until)) return Math.max(0, until - now.getTime());
  const reset = /(?:^|[;,\s])t=(\d+)/.exec([headers["ratelimit"] ?? ""].flat().join(","))?.[1];
  return reset === undefined ? undefined : Number(reset) * 1000;
}
