import { setTimeout as sleep } from "node:timers/promises";

/** What became of a message that was handed to AWS. Of `unknown` no answer came: it may be on its way. */
export type Delivery =
  | { status: "sent"; providerMessageId: string }
  | { status: "opted_out" }
  | { status: "failed"; reason: "not_set_up" | "refused" | "throttled" | "unreachable" | "out_of_time" }
  | { status: "unknown" };

const throttled = /Throttl|TooManyRequests/;
const maxTries = 3;
const firstWaitMs = 200;
/** The request has never left. Source: errors of Node's net and dns. */
const neverLeft = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

type Failure = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/**
 * Sends what AWS does not know again when it is repeated: once, and again only after an answer that it was too much just now.
 * What a refusal means is for `refusal` to say; no answer at all, or none before `signal`, is `unknown`. After it nothing is begun.
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
      if (!throttled.test(error.name)) return refusal(error) ?? meaningOf(error);
      if (tries === maxTries) return { status: "failed", reason: "throttled" };
      await sleep(firstWaitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      if (signal?.aborted) return { status: "failed", reason: "throttled" };
    }
  }
}

/** An answer of 4xx or 5xx says that it was not done. */
function meaningOf({ $metadata, code }: Failure): Delivery {
  if ($metadata?.httpStatusCode !== undefined && $metadata.httpStatusCode >= 400)
    return { status: "failed", reason: $metadata.httpStatusCode >= 500 ? "unreachable" : "refused" };
  return neverLeft.has(code ?? "") ? { status: "failed", reason: "unreachable" } : { status: "unknown" };
}
