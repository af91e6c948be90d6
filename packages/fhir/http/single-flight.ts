import { isAppError } from "@vitaline/core";
import { ehrError } from "./errors.ts";
import type { FhirContext } from "./exchange.ts";

/** Who asks, and how long they have. */
export type Waiter = { ctx: Pick<FhirContext, "deadline">; signal?: AbortSignal | undefined };
/** What is on its way. */
export type InFlight<T> = Map<string, Promise<T>>;

/**
 * What is fetched once, however many ask for it at a time: who comes while it is on its way waits for that, each no longer than they
 * have. Where whoever fetches runs out of time, or brings what does not serve, the next one fetches. AppError `ehr_timeout` for
 * who has no time left.
 */
export async function singleFlight<T>(
  flights: InFlight<T>,
  key: string,
  asker: Waiter,
  fetch: () => Promise<T>,
  serves: (value: T) => boolean = () => true,
): Promise<T> {
  for (let flight = flights.get(key); flight; flight = flights.get(key)) {
    const joined = await join(flight, asker);
    if (joined && serves(joined.value)) return joined.value;
  }
  const flight = fetch().finally(() => flights.delete(key));
  flights.set(key, flight);
  return flight;
}

/** What another's flight brings; undefined when that one ran out of time and we have not. */
async function join<T>(flight: Promise<T>, asker: Waiter): Promise<{ value: T } | undefined> {
  try {
    return { value: await within(asker, flight) };
  } catch (error) {
    if (isAppError(error, "ehr_timeout") && !isOver(asker)) return undefined;
    throw error;
  }
}

const isOver = ({ ctx, signal }: Waiter): boolean => signal?.aborted === true || ctx.deadline.remainingMs() <= 0;

/** Waits no longer than whoever asks has; what is waited for heeds its own. */
async function within<T>({ ctx, signal }: Waiter, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(ehrError("ehr_timeout"));
  const timer = setTimeout(giveUp, Math.max(0, ctx.deadline.remainingMs()));
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}
