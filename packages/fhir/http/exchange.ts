import { type AppError, type Context, isAppError } from "@vitaline/core";
import { OutboundError, outboundFetch, type OutboundOptions, type OutboundResponse } from "@vitaline/outbound";
import { ehrError, retryAfterMs } from "./errors.ts";

/** Without a circuit every request is sent. */
export type FhirContext = Pick<Context, "clock" | "deadline" | "log" | "pause"> & { circuit?: Circuit };

export type CallOptions = {
  /** Ends the call early; a write that was already sent is then `ehr_unknown_outcome`. */
  signal?: AbortSignal;
};

export type ExchangeRequest = Pick<
  OutboundOptions,
  "method" | "headers" | "maxBytes" | "signal" | "registeredOrigin" | "wantsCertificate"
> & {
  url: string;
  /** A function is called for each attempt, since a client assertion may be used once. */
  body?: string | (() => Promise<string>);
  /** For the log, which must not contain the URL: it may hold patient data. */
  interaction: string;
  page?: number;
  /** A "write" is sent again only when the server said that it did not accept it. */
  effect: "read" | "write";
};

const maxAttempts = 3;
const attemptMs = { read: 2500, write: 5000 };
/** Kept back from the deadline for reporting the result. */
const reserveMs = 250;
const maxWaitMs = 3000;
const backoffMs = 250;
const minAttemptMs = 300;

/** Sends a request with retries within the deadline; the response may have any status. Throws AppError `ehr_…` when no response came. */
export async function exchange(ctx: FhirContext, request: ExchangeRequest): Promise<OutboundResponse> {
  const { origin } = new URL(request.url);
  await ctx.circuit?.enter(origin);
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    const { result, ms } = await attemptOnce(ctx, request, attempt);
    const delayMs = attempt < maxAttempts ? retryDelayMs(result, request, attempt, ctx.clock()) : undefined;
    const canRetry =
      delayMs !== undefined && waitedMs + delayMs <= maxWaitMs && delayMs + minAttemptMs + reserveMs < ctx.deadline.remainingMs();
    if (!canRetry) {
      const outcome = circuitOutcome(result, ms, ctx.clock());
      if (outcome) await ctx.circuit?.note(origin, outcome);
      if (result instanceof OutboundError) throw noResponseError(result, request.effect);
      return result;
    }
    waitedMs += delayMs;
    await ctx.pause(delayMs, request.signal).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

async function attemptOnce(
  ctx: FhirContext,
  { url, interaction: operation, page, effect, body: given, ...options }: ExchangeRequest,
  attempt: number,
): Promise<{ result: OutboundResponse | OutboundError; ms: number }> {
  const body = typeof given === "function" ? await given() : given;
  const startedMs = performance.now();
  const timeoutMs = Math.min(attemptMs[effect], ctx.deadline.remainingMs() - reserveMs);
  const result = await outboundFetch(url, { ...options, body, timeoutMs }).catch((error: unknown) => {
    if (error instanceof OutboundError) return error;
    throw error;
  });
  const ms = Math.round(performance.now() - startedMs);
  const failed = result instanceof OutboundError;
  ctx.log(failed || result.status >= 400 ? "warn" : "info", "ehr.call", {
    operation,
    ...(page === undefined ? {} : { page }),
    attempt,
    ms,
    ...(failed ? { code: result.code } : { httpStatus: result.status }),
  });
  return { result, ms };
}

const transientStatuses = [502, 503, 504];

/** Undefined when a retry is useless or could repeat a write. */
function retryDelayMs(
  result: OutboundResponse | OutboundError,
  { effect }: ExchangeRequest,
  attempt: number,
  now: Date,
): number | undefined {
  const backoff = Math.random() * backoffMs * 2 ** attempt;
  if (result instanceof OutboundError) return effect === "read" && result.code === "outbound_unreachable" ? backoff : undefined;
  const isTransient = result.status === 429 || (effect === "read" && transientStatuses.includes(result.status));
  return isTransient ? (retryAfterMs(result.headers, now) ?? backoff) : undefined;
}

/** A write that was sent and got no response may have happened. */
function noResponseError(error: OutboundError, effect: "read" | "write"): AppError {
  if (effect === "write" && error.sent) return ehrError("ehr_unknown_outcome", { cause: error });
  if (isAppError(error, "outbound_timeout")) return ehrError("ehr_timeout", { cause: error });
  if (isAppError(error, "outbound_redirect", "outbound_too_large")) return ehrError("ehr_invalid", { cause: error });
  return ehrError("ehr_unavailable", { cause: error });
}

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
