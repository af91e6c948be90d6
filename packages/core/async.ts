import { setTimeout as sleep } from "node:timers/promises";

export type Clock = () => Date;

/** The time left before the response must be sent. */
export type Deadline = { remainingMs(): number };

export const deadlineIn = (ms: number, nowMs: () => number = Date.now): Deadline => {
  const end = nowMs() + ms;
  return { remainingMs: () => Math.max(0, end - nowMs()) };
};

/** Waits, for example before a retry; rejects when `signal` is aborted. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * Waits for every promise, also after one has failed, then throws the first failure in list order. Lambda freezes a function
 * once it has responded, so no work may still be running by then.
 */
export async function awaitAllThenThrow<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Part in keyof Work]: Awaited<Work[Part]> }> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return Promise.all(work);
}

/** The limit of one BatchGetItem. */
const batchSize = 100;

/** Reads rows in batches of 100 ids, all batches at once; results in the order of the ids. */
export async function inBatches<Id, Row>(ids: readonly Id[], read: (batch: Id[]) => Promise<Row[]>): Promise<Row[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) => ids.slice(at * batchSize, (at + 1) * batchSize));
  return (await awaitAllThenThrow(batches.map(read))).flat();
}
