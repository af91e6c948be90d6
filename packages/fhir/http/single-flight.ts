import { isAppError } from "@vitaline/core";
import { ehrError } from "./errors.ts";
import type { FhirContext } from "./exchange.ts";

export type Waiter = { ctx: Pick<FhirContext, "deadline">; signal?: AbortSignal | undefined };
export type InFlight<T> = Map<string, Promise<T>>;

/**
 * Runs one `fetch` per key at a time; concurrent callers wait for its result within their own deadline and signal. When that fetch
 * times out, or `isUsable` rejects its value, the next caller fetches. AppError `ehr_timeout` for a caller whose time is over.
 */
export async function singleFlight<T>(
  inFlight: InFlight<T>,
  key: string,
  waiter: Waiter,
  fetch: () => Promise<T>,
  isUsable: (value: T) => boolean = () => true,
): Promise<T> {
  for (let flight = inFlight.get(key); flight; flight = inFlight.get(key)) {
    const joined = await join(flight, waiter);
    if (joined && isUsable(joined.value)) return joined.value;
  }
  const flight = fetch().finally(() => inFlight.delete(key));
  inFlight.set(key, flight);
  return flight;
}

/** Undefined when the other caller ran out of time and this one has not. */
async function join<T>(flight: Promise<T>, waiter: Waiter): Promise<{ value: T } | undefined> {
  try {
    return { value: await waitWithin(waiter, flight) };
  } catch (error) {
    if (isAppError(error, "ehr_timeout") && !isOver(waiter)) return undefined;
    throw error;
  }
}

const isOver = ({ ctx, signal }: Waiter): boolean => signal?.aborted === true || ctx.deadline.remainingMs() <= 0;

async function waitWithin<T>({ ctx, signal }: Waiter, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const giveUp = () => timeout.reject(ehrError("ehr_timeout"));
  const timer = setTimeout(giveUp, Math.max(0, ctx.deadline.remainingMs()));
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}
