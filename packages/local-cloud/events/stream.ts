import { setTimeout as sleep } from "node:timers/promises";
import type { StreamRecord, TableStream } from "../aws/index.ts";
import type { Lambda } from "../lambda/index.ts";
import type { StreamTrigger } from "../template/triggers.ts";
import { createWindows, type WindowFields } from "./window.ts";

export type RunningTrigger = {
  /** Resolves when no record is left to deliver. */
  drained(): Promise<void>;
  /** Batches delivered so far. */
  delivered(): number;
  close(): Promise<void>;
};

type Options = {
  invoke: Lambda["invoke"];
  giveUp: (records: StreamRecord[], reason: string) => unknown;
  /** Age of the newest record that the function is given. Source: "Types of metrics for Lambda functions" in the Lambda Developer Guide. */
  reportAge?: (ageMs: number) => void;
  clock?: () => number;
  retryMs?: number;
};

type Piece = { records: StreamRecord[]; retries: number };

const maxPauseMs = 5000;

const sequenceOf = (record: StreamRecord): string => record.dynamodb.SequenceNumber;

/**
 * In order and at least once. Each processed piece is acknowledged, so that a restart repeats only the rest. Source: "Process DynamoDB
 * records with Lambda" in the Lambda Developer Guide.
 */
export function runStreamTrigger(
  trigger: StreamTrigger,
  stream: TableStream,
  { invoke, giveUp, reportAge, clock = Date.now, retryMs = 100 }: Options,
): RunningTrigger {
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = Promise.withResolvers<void>();
  let gathering: AbortController | undefined;
  let waiters: (() => void)[] = [];
  let delivered = 0;
  const stopListening = stream.onRecords(() => wake.resolve());

  const windows = trigger.tumblingMs === undefined ? undefined : createWindows(trigger.tumblingMs, trigger.streamArn);

  /** Waits while the function is throttled, which is no failure of the records. */
  const invokeUnthrottled = async (event: object): ReturnType<Lambda["invoke"]> => {
    for (let throttles = 0; ; throttles++) {
      const outcome = await invoke(trigger.functionArn, event);
      if (outcome.ok || outcome.reason !== "throttled" || signal.aborted) return outcome;
      await sleep(Math.min(maxPauseMs, retryMs * 2 ** throttles), undefined, { signal }).catch(() => undefined);
    }
  };

  /** Undefined on success, else the index of the first failed record. */
  const handOver = async (records: StreamRecord[], window?: WindowFields): Promise<number | undefined> => {
    const newest = records.at(-1);
    if (newest) reportAge?.(Math.max(0, clock() - newest.dynamodb.ApproximateCreationDateTime * 1000));
    const outcome = await invokeUnthrottled({ Records: records, ...window });
    if (!outcome.ok) return 0;
    const { state, batchItemFailures = [] } = (JSON.parse(outcome.payload) ?? {}) as {
      state?: object;
      batchItemFailures?: { itemIdentifier?: string }[];
    };
    if (window && state === undefined) return 0;
    if (state) windows?.keep(state);
    if (!trigger.reportsItemFailures || batchItemFailures.length === 0) return undefined;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    return Math.max(
      0,
      records.findIndex((record) => failed.has(sequenceOf(record))),
    );
  };

  /** Invokes the function for a window that ended before `nowMs`; a failure loses no stream records. */
  const endWindow = async (nowMs: number): Promise<void> => {
    const ended = windows?.endedBy(nowMs);
    if (!ended) return;
    await handOver([], ended);
    windows?.forget();
  };

  const exhausted = ({ records, retries }: Piece): string | undefined => {
    if (trigger.maxRetries !== undefined && retries > trigger.maxRetries) return "RetryAttemptsExhausted";
    const bornMs = (records[0]?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000;
    return trigger.maxAgeMs !== undefined && clock() - bornMs > trigger.maxAgeMs ? "RecordAgeExceeded" : undefined;
  };

  const ack = async (records: StreamRecord[]): Promise<void> => {
    const last = records.at(-1);
    if (last) await stream.ack(trigger.id, sequenceOf(last));
  };

  /** Halves the piece where the trigger bisects on error, which does not count as a retry. */
  const retryOf = ({ records, retries }: Piece, index: number): Piece[] => {
    const rest = records.slice(index);
    const middle = Math.ceil(rest.length / 2);
    if (!trigger.bisect || index > 0 || rest.length === 1) return [{ records: rest, retries: retries + 1 }];
    return [rest.slice(0, middle), rest.slice(middle)].map((half) => ({ records: half, retries }));
  };

  const deliver = async (records: StreamRecord[]): Promise<void> => {
    delivered++;
    let pieces: Piece[] = [{ records, retries: 0 }];
    for (let piece = pieces.shift(); piece && !signal.aborted; piece = pieces.shift()) {
      const reason = piece.retries > 0 ? exhausted(piece) : undefined;
      const failedAt = reason ? undefined : await handOver(piece.records, piece.records[0] && windows?.fieldsFor(piece.records[0]));
      if (signal.aborted) return;
      if (reason) await giveUp(piece.records, reason);
      if (failedAt === undefined) {
        await ack(piece.records);
        continue;
      }
      await ack(piece.records.slice(0, failedAt));
      await sleep(Math.min(maxPauseMs, retryMs * 2 ** piece.retries), undefined, { signal }).catch(() => undefined);
      pieces = [...retryOf(piece, failedAt), ...pieces];
    }
  };

  const deliverAll = async (records: StreamRecord[]): Promise<void> => {
    for (const batch of windows?.split(records) ?? [records]) {
      await endWindow((batch[0]?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000);
      await deliver(batch);
    }
  };

  const rest = async (): Promise<void> => {
    const endMs = windows?.endMs();
    const timer = endMs === undefined ? undefined : setTimeout(() => wake.resolve(), Math.max(0, endMs - clock()));
    await wake.promise;
    clearTimeout(timer);
    await endWindow(clock());
  };

  const gather = async (): Promise<void> => {
    if (trigger.windowMs === 0 || waiters.length > 0) return;
    gathering = new AbortController();
    await sleep(trigger.windowMs, undefined, { signal: AbortSignal.any([signal, gathering.signal]) }).catch(() => undefined);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      await gather();
      // A caller that starts to wait during this read may have missed records, so it waits for the next read
      const asked = waiters.length;
      const records = await stream.read(trigger.id, trigger.batchSize);
      if (records.length === 0) {
        for (const done of waiters.splice(0, asked)) done();
        if (waiters.length > 0) continue;
        await rest();
        continue;
      }
      const wanted = records.filter((record) => trigger.patterns.length === 0 || trigger.patterns.some((matches) => matches(record)));
      if (wanted.length > 0) await deliverAll(wanted);
      if (!signal.aborted) await ack(records);
    }
  };
  const running = run();

  return {
    drained() {
      const done = Promise.withResolvers<void>();
      waiters.push(done.resolve);
      wake.resolve();
      gathering?.abort();
      return done.promise;
    },
    delivered: () => delivered,
    async close() {
      stopping.abort();
      stopListening();
      wake.resolve();
      await running;
      for (const done of waiters) done();
      waiters = [];
    },
  };
}
