import { type AppError, type Context, isAppError } from "@vitaline/core";
import { OutboundError, outboundFetch, type OutboundOptions, type OutboundResponse } from "@vitaline/outbound";
import { ehrError, retryAfterMs } from "./errors.ts";

export type ExchangeRequest = Pick<OutboundOptions, "method" | "headers" | "maxBytes" | "signal" | "savedOrigin" | "wantsCertificate"> & {
  url: string;
  /** A function makes it anew for each attempt: a client assertion counts once. */
  body?: string | (() => Promise<string>);
  /** What it is about, for the log: never the address, which may hold patient data. */
  operation: string;
  /** Of a search that goes on, for the log. */
  page?: number;
  /** A write may be sent again only when the server has said that it did not take it; what does no harm twice is a read. */
  effect: "read" | "write";
};

const maxAttempts = 3;
const attemptMs = { read: 2500, write: 5000 };
/** Kept back from the deadline for saying what happened. */
const reserveMs = 250;
const maxWaitMs = 3000;
const backoffMs = 250;
/** An attempt shorter than this is not worth its wait. */
const minAttemptMs = 300;

/** One request and its answer, whatever its status; asks again while the retry budget and the deadline allow. AppError `ehr_…` when no answer came. */
export async function exchange(ctx: FhirContext, request: ExchangeRequest): Promise<OutboundResponse> {
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    const result = await attemptOnce(ctx, request, attempt);
    const delayMs = attempt < maxAttempts ? delayBefore(result, request, attempt, ctx.clock()) : undefined;
    const fits =
      delayMs !== undefined && waitedMs + delayMs <= maxWaitMs && delayMs + minAttemptMs + reserveMs < ctx.deadline.remainingMs();
    if (!fits) return settle(result, request.effect);
    waitedMs += delayMs;
    await ctx.pause(delayMs, request.signal).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

async function attemptOnce(
  ctx: FhirContext,
  { url, operation, page, effect, body: given, ...options }: ExchangeRequest,
  attempt: number,
): Promise<OutboundResponse | OutboundError> {
  const body = typeof given === "function" ? await given() : given;
  const startedMs = performance.now();
  const timeoutMs = Math.min(attemptMs[effect], ctx.deadline.remainingMs() - reserveMs);
  const result = await outboundFetch(url, { ...options, body, timeoutMs }).catch((error: unknown) => {
    if (error instanceof OutboundError) return error;
    throw error;
  });
  const failed = result instanceof OutboundError;
  ctx.log(failed || result.status >= 400 ? "warn" : "info", "ehr.call", {
    operation,
    ...(page === undefined ? {} : { page }),
    attempt,
    ms: Math.round(performance.now() - startedMs),
    ...(failed ? { code: result.code } : { httpStatus: result.status }),
  });
  return result;
}

const passing = [502, 503, 504];

/** How long to wait before asking again; undefined when asking again is no use, or could do a thing twice. */
function delayBefore(
  result: OutboundResponse | OutboundError,
  { effect }: ExchangeRequest,
  attempt: number,
  now: Date,
): number | undefined {
  const backoff = Math.random() * backoffMs * 2 ** attempt;
  if (result instanceof OutboundError) return effect === "read" && result.code === "outbound_unreachable" ? backoff : undefined;
  const refusedForNow = result.status === 429 || (effect === "read" && passing.includes(result.status));
  return refusedForNow ? (retryAfterMs(result.headers, now) ?? backoff) : undefined;
}

function settle(result: OutboundResponse | OutboundError, effect: "read" | "write"): OutboundResponse {
  if (!(result instanceof OutboundError)) return result;
  throw unanswered(result, effect);
}

/** Why no answer came. What was sent and not answered may have happened. */
function unanswered(error: OutboundError, effect: "read" | "write"): AppError {
  if (effect === "write" && error.sent) return ehrError("ehr_unknown_outcome", { cause: error });
  if (isAppError(error, "outbound_timeout")) return ehrError("ehr_timeout", { cause: error });
  if (isAppError(error, "outbound_redirect", "outbound_too_large")) return ehrError("ehr_invalid", { cause: error });
  return ehrError("ehr_unavailable", { cause: error });
}

/** What a call to an EHR needs of its request: how long is left, and where to say how it went. */
export type FhirContext = Pick<Context, "clock" | "deadline" | "log" | "pause">;

export type CallOptions = {
  /** Ends the call early; a write that had left by then is `ehr_unknown_outcome`. */
  signal?: AbortSignal;
};
