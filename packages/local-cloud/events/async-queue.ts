import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeAtomically } from "../aws/json-file.ts";
import type { Lambda } from "../lambda/index.ts";
import type { AsyncConfig } from "../template/triggers.ts";
import type { FailureQueues } from "./failure-queue.ts";

type Waiting = {
  id: string;
  functionArn: string;
  payload: string;
  acceptedAtMs: number;
  tries: number;
  throttles?: number;
  dueAtMs: number;
};

export type AsyncQueue = {
  /** Persists the event before it returns. Returns the request id. */
  add(functionArn: string, payload: string): string;
  /** Resolves when no event runs: each was processed, given up, or waits for a retry. */
  drained(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  invoke: Lambda["invoke"];
  configOf: (functionArn: string) => AsyncConfig;
  /** Its reserved concurrency is zero. */
  isStopped: (functionArn: string) => boolean;
  failures: Pick<FailureQueues, "addEvent">;
  dataDir?: string;
  retryMs?: number[];
};

/** Lambda's: one minute, then two. */
const defaultRetryMs = [60_000, 120_000];
/** A throttled event waits a second, then longer, up to five minutes; it does not count as a try. */
const throttledMs = (throttles: number): number => Math.min(300_000, 1000 * 2 ** throttles);
const stopWithinMs = 5000;

/**
 * At-least-once delivery with retries by count and age; a function whose reserved concurrency is zero gets no retries. Sources: "How
 * Lambda handles errors and retries with asynchronous invocation" and "Capturing records of Lambda asynchronous invocations" in the
 * Lambda Developer Guide.
 */
export function openAsyncQueue({ invoke, configOf, isStopped, failures, dataDir, retryMs = defaultRetryMs }: Options): AsyncQueue {
  const folder = dataDir === undefined ? undefined : path.join(dataDir, "queues", "events");
  const fileOf = (id: string): string => path.join(folder ?? "", `${id}.json`);
  const keep = (event: Waiting): void => void (folder !== undefined && writeAtomically(fileOf(event.id), JSON.stringify(event)));
  const forget = ({ id }: Waiting): void => void (folder !== undefined && rmSync(fileOf(id), { force: true }));
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let stopping = false;

  const attempt = async (event: Waiting): Promise<void> => {
    const { maxRetries, maxAgeMs } = configOf(event.functionArn);
    const outcome = await invoke(event.functionArn, JSON.parse(event.payload));
    if (outcome.ok) return forget(event);
    if (stopping) return;
    const { throttles = 0 } = event;
    const wasThrottled = outcome.reason === "throttled";
    if (wasThrottled && isStopped(event.functionArn)) return giveUp(event, "ZeroReservedConcurrency");
    const tries = wasThrottled ? event.tries : event.tries + 1;
    const delayMs = wasThrottled ? throttledMs(throttles) : (retryMs[tries - 1] ?? retryMs.at(-1) ?? 0);
    const next = { ...event, tries, throttles: wasThrottled ? throttles + 1 : 0, dueAtMs: Date.now() + delayMs };
    if (tries > maxRetries) return giveUp(next, "RetriesExhausted");
    if (next.dueAtMs - event.acceptedAtMs > maxAgeMs) return giveUp(next, "EventAgeExceeded");
    keep(next);
    schedule(next);
  };

  const giveUp = (event: Waiting, condition: string): void => {
    const { id, functionArn, payload, tries } = event;
    failures.addEvent(configOf(functionArn).failureQueue, { id, functionArn, payload, tries, condition });
    forget(event);
  };

  const start = (event: Waiting): void => {
    if (stopping) return;
    const work = attempt(event).finally(() => running.delete(work));
    running.add(work);
  };

  const schedule = (event: Waiting): void => {
    const delayMs = event.dueAtMs - Date.now();
    if (delayMs <= 0) return start(event);
    const timer = setTimeout(() => {
      timers.delete(timer);
      start(event);
    }, delayMs);
    timers.add(timer);
  };

  for (const event of folder === undefined ? [] : readEvents(folder)) schedule(event);

  return {
    add(functionArn, payload) {
      const now = Date.now();
      const event = { id: randomUUID(), functionArn, payload, acceptedAtMs: now, tries: 0, dueAtMs: now };
      keep(event);
      start(event);
      return event.id;
    },
    async drained() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      const patience = new AbortController();
      await Promise.race([Promise.all(running), sleep(stopWithinMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
      patience.abort();
    },
  };
}

function readEvents(folder: string): Waiting[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Waiting)
    .toSorted((a, b) => a.acceptedAtMs - b.acceptedAtMs);
}
