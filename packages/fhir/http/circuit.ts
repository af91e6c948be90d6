import type { AppError } from "@vitaline/core";
import { OutboundError, type OutboundResponse } from "@vitaline/outbound";
import { ehrError, retryAfterMs } from "./errors.ts";

/** What a request says about its server. */
export type CircuitOutcome =
  | { kind: "answered" }
  | { kind: "failed" }
  /** The server asked for no requests until then. */
  | { kind: "told_to_wait"; ms: number };

/** Decides for each origin whether requests are sent. */
export type Circuit = {
  /** Before a request: AppError `ehr_unavailable` while the origin's circuit is open. Lets one request through to try a failed server. */
  enter(origin: string): Promise<void>;
  /** The same check, without sending a request. */
  check(origin: string): void;
  note(origin: string, outcome: CircuitOutcome): Promise<void>;
};

/** A shorter wait is our own deadline, and says nothing about the server. */
const patienceMs = 900;
/** A 429 may be about one kind of request: other callers do not wait for longer than this. */
const longestThrottleMs = 3000;

/** Undefined when the request says nothing about the server. `waitedMs`: how long the last attempt took. */
export function circuitOutcome(result: OutboundResponse | OutboundError, waitedMs: number, now: Date): CircuitOutcome | undefined {
  if (result instanceof OutboundError) {
    if (result.code === "outbound_unreachable" || (result.code === "outbound_timeout" && waitedMs >= patienceMs)) return { kind: "failed" };
    return result.sent && result.code !== "outbound_timeout" ? { kind: "answered" } : undefined;
  }
  const { status, headers } = result;
  const waitMs = status === 429 ? (retryAfterMs(headers, now) ?? 0) : 0;
  if (waitMs > 0) return { kind: "told_to_wait", ms: Math.min(waitMs, longestThrottleMs) };
  return { kind: status >= 500 && status !== 501 ? "failed" : "answered" };
}

export const openCircuitError = (waitMs: number): AppError =>
  ehrError("ehr_unavailable", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
