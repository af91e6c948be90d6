import { type AppError, type Context, isAppError } from "@vitaline/core";
import { OutboundError, outboundFetch, type OutboundOptions, type OutboundResponse } from "@vitaline/outbound";
import { type Circuit, circuitOutcome } from "./circuit.ts";
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
