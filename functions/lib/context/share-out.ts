import { invokeAsync } from "@vitaline/aws";
import { envReader, errorFields, type Context } from "@vitaline/core";
import * as z from "zod/mini";

/** Starts another invocation of this function with a share of the work. */
export type StartShare = (payload: Record<string, unknown>) => Promise<void>;

/** The function's name with its alias, since its role may invoke nothing else. */
const environment = envReader(z.object({ OWN_FUNCTION: z.string() }));

export const startShare: StartShare = async (payload) => invokeAsync(environment().OWN_FUNCTION, payload);

/** `perShare`: what one invocation can do. `maxShares`: fewer than the function's reserved executions, so that none is throttled. */
type ShareSize = { perShare: number; maxShares: number };

const parallelStarts = 10;
/** Below what Lambda takes for an asynchronous event, 256 KiB; further shares wait in Lambda's queue until others have ended. */
const maxShareBytes = 200_000;

/**
 * Splits a run's work into shares, each for an invocation of its own, when one cannot do it. Returns the part that is left for this
 * invocation: all of it, or nothing. A share that cannot be started is found again by the next run.
 */
export async function shareOut<Item>(
  ctx: Pick<Context, "log">,
  items: readonly Item[],
  { perShare, maxShares }: ShareSize,
  start: (share: Item[]) => Promise<void>,
): Promise<readonly Item[]> {
  if (items.length <= perShare) return items;
  const fitting = Math.floor((maxShareBytes * items.length) / Buffer.byteLength(JSON.stringify(items)));
  const size = Math.min(Math.max(perShare, Math.ceil(items.length / maxShares)), Math.max(1, fitting));
  const shares = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
  const work = async (): Promise<void> => {
    for (let share = shares.shift(); share; share = shares.shift())
      await start(share).catch((error: unknown) => ctx.log("error", "share.not_started", { count: 1, ...errorFields(error) }));
  };
  await Promise.all(Array.from({ length: parallelStarts }, work));
  return [];
}
