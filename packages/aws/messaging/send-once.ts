import { setTimeout as sleep } from "node:timers/promises";

/** `unknown`: no response, so it may have been sent. */
export type Delivery =
  | { status: "sent"; providerMessageId: string }
  | { status: "opted_out" }
  | { status: "failed"; reason: "not_set_up" | "refused" | "throttled" | "unreachable" | "out_of_time" }
  | { status: "unknown" };

const throttled = /Throttl|TooManyRequests/;
const maxTries = 3;
const firstWaitMs = 200;
/** Errors before the request was sent. Source: Node's net and dns. */
const notSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

type Failure = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/**
 * Sends a request without idempotency: retries only after throttling, and not after `signal`. `refusal` interprets errors of the
 * service. No response is `unknown`.
 */
export async function sendOnce(
  send: () => Promise<string | undefined>,
  refusal: (error: Error) => Delivery | undefined = () => undefined,
  signal?: AbortSignal,
): Promise<Delivery> {
  if (signal?.aborted) return { status: "failed", reason: "out_of_time" };
  for (let tries = 1; ; tries++) {
    try {
      return { status: "sent", providerMessageId: (await send()) ?? "" };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!throttled.test(error.name)) return refusal(error) ?? deliveryOf(error);
      if (tries === maxTries) return { status: "failed", reason: "throttled" };
      await sleep(firstWaitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      if (signal?.aborted) return { status: "failed", reason: "throttled" };
    }
  }
}

/** A 4xx or 5xx response means that it was not sent. */
function deliveryOf({ $metadata, code }: Failure): Delivery {
  if ($metadata?.httpStatusCode !== undefined && $metadata.httpStatusCode >= 400)
    return { status: "failed", reason: $metadata.httpStatusCode >= 500 ? "unreachable" : "refused" };
  return notSent.has(code ?? "") ? { status: "failed", reason: "unreachable" } : { status: "unknown" };
}
