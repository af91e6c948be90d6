import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StreamRecord, TableStream } from "../aws/index.ts";
import type { Lambda } from "../lambda/index.ts";
import type { StreamTrigger } from "../template/triggers.ts";
import { parsePattern } from "../template/event-pattern.ts";
import { scheduledEvent } from "../cloud.ts";
import { runStreamTrigger } from "./stream.ts";

const record = (sequence: number, eventName: StreamRecord["eventName"] = "INSERT"): StreamRecord => ({
  eventID: String(sequence),
  eventName,
  eventVersion: "1.1",
  eventSource: "aws:dynamodb",
  awsRegion: "us-east-1",
  eventSourceARN: "stream",
  dynamodb: {
    ApproximateCreationDateTime: Date.now() / 1000,
    Keys: { pk: { S: `ROW#${sequence}` } },
    SequenceNumber: String(sequence),
    SizeBytes: 1,
    StreamViewType: "NEW_AND_OLD_IMAGES",
  },
});

function streamOf(records: StreamRecord[]) {
  let acknowledged = 0;
  const stream: TableStream = {
    read: (_consumer, max) =>
      Promise.resolve(records.filter(({ dynamodb }) => Number(dynamodb.SequenceNumber) > acknowledged).slice(0, max)),
    ack: (_consumer, sequenceNumber) => Promise.resolve(void (acknowledged = Math.max(acknowledged, Number(sequenceNumber)))),
    onRecords: () => () => undefined,
    dropOld: async () => undefined,
  };
  return { stream, acknowledged: () => acknowledged };
}

const trigger = (change: Partial<StreamTrigger> = {}): StreamTrigger => ({
  id: "T",
  where: "stack/T",
  tableName: "things",
  streamArn: "stream",
  functionArn: "fn",
  batchSize: 4,
  windowMs: 0,
  bisect: false,
  reportsItemFailures: false,
  patterns: [],
  ...change,
});

type Batch = number[];
const run = (
  records: StreamRecord[],
  change: Partial<StreamTrigger>,
  answer: (batch: Batch, calls: number) => Partial<{ ok: boolean; reason: "error" | "throttled"; payload: string }>,
) => {
  const { stream, acknowledged } = streamOf(records);
  const batches: Batch[] = [];
  const givenUp: Batch[] = [];
  const numbers = (list: StreamRecord[]): Batch => list.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
  const invoke: Lambda["invoke"] = (_arn, event) => {
    const batch = numbers((event as { Records: StreamRecord[] }).Records);
    batches.push(batch);
    const { ok = true, reason = "error", payload = "null" } = answer(batch, batches.length);
    return Promise.resolve(ok ? { ok, payload, requestId: "r" } : { ok, reason, message: "failed", requestId: "r" });
  };
  const running = runStreamTrigger(trigger(change), stream, { invoke, giveUp: (list) => givenUp.push(numbers(list)), retryMs: 1 });
  return { running, batches, givenUp, acknowledged };
};
const rows = (count: number): StreamRecord[] => Array.from({ length: count }, (_, index) => record(index + 1));

describe("a stream trigger", () => {
  test("delivers records in order, in batches, and acknowledges each", async () => {
    const { running, batches, acknowledged } = run(rows(6), {}, () => ({}));
    await running.drained();
    await running.close();
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(acknowledged()).toBe(6);
  });

  test("collects records for its batching window, and at once when a caller waits for them", async () => {
    const { running, batches } = run(rows(6), { windowMs: 3_600_000 }, () => ({}));
    await running.drained();
    await running.close();
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  test("redelivers a failed batch until it succeeds", async () => {
    const { running, batches } = run(rows(2), {}, (_batch, calls) => ({ ok: calls > 3 }));
    await running.drained();
    await running.close();
    expect(batches).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  test("bisects a failing batch down to the failing record, gives it up and continues", async () => {
    const { running, batches, givenUp, acknowledged } = run(rows(4), { bisect: true, maxRetries: 1 }, (batch) => ({
      ok: !batch.includes(3),
    }));
    await running.drained();
    await running.close();
    expect(batches).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [3], [4]]);
    expect(givenUp).toEqual([[3]]);
    expect(acknowledged()).toBe(4);
  });

  test("continues at the first record that a function reports as failed", async () => {
    const { running, batches } = run(rows(4), { reportsItemFailures: true }, (_batch, calls) => ({
      payload: JSON.stringify({ batchItemFailures: calls === 1 ? [{ itemIdentifier: "3" }] : [] }),
    }));
    await running.drained();
    await running.close();
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ]);
  });

  test("delivers only records that pass its filter and acknowledges the rest", async () => {
    const patterns = [parsePattern('{"eventName":["INSERT"]}', "here")];
    const { running, batches, acknowledged } = run(
      [record(1), record(2, "REMOVE"), record(3), record(4, "MODIFY")],
      { patterns },
      () => ({}),
    );
    await running.drained();
    await running.close();
    expect(batches).toEqual([[1, 3]]);
    expect(acknowledged()).toBe(4);
  });

  test("hands the same batch to a throttled function again, without splitting or giving it up", async () => {
    const { running, batches, givenUp } = run(rows(2), { bisect: true, maxRetries: 0 }, (_batch, calls) =>
      calls < 4 ? { ok: false, reason: "throttled" } : {},
    );
    await running.drained();
    await running.close();
    expect({ batches, givenUp }).toEqual({ batches: Array.from({ length: 4 }, () => [1, 2]), givenUp: [] });
  });

  test("loses no record when it is stopped during a batch", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        async (count, batchSize, endAfter) => {
          const { stream, acknowledged } = streamOf(rows(count));
          const seen = new Set<number>();
          const start = (invoke: Lambda["invoke"]) =>
            runStreamTrigger(trigger({ batchSize }), stream, { invoke, giveUp: () => undefined, retryMs: 1 });
          const reached = Promise.withResolvers<void>();
          let calls = 0;
          const first = start(() => {
            calls += 1;
            if (calls === endAfter) reached.resolve();
            return Promise.resolve(
              calls < endAfter
                ? { ok: true, payload: "null", requestId: "r" }
                : { ok: false, reason: "error", message: "killed", requestId: "r" },
            );
          });
          await Promise.race([reached.promise, first.drained()]);
          await first.close();
          const done = acknowledged();
          const second = start((_arn, event) => {
            for (const { dynamodb } of (event as { Records: StreamRecord[] }).Records) seen.add(Number(dynamodb.SequenceNumber));
            return Promise.resolve({ ok: true, payload: "null", requestId: "r" });
          });
          await second.drained();
          await second.close();
          expect([...seen]).toEqual(Array.from({ length: count - done }, (_, index) => done + index + 1));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("a tumbling window", () => {
  const at = (sequence: number, seconds: number): StreamRecord => {
    const made = record(sequence);
    return { ...made, dynamodb: { ...made.dynamodb, ApproximateCreationDateTime: seconds } };
  };

  test("names the shard, cuts batches at its bounds, carries the state and ends with an invocation of its own", async () => {
    const { stream } = streamOf([at(1, 61), at(2, 62), at(3, 121)]);
    const events: object[] = [];
    const invoke: Lambda["invoke"] = (_arn, event) => {
      const { Records, shardId, window, state, isFinalInvokeForWindow } = event as Record<string, object[] & string & { start: string }>;
      events.push({ records: Records?.length, named: typeof shardId, from: window?.start, state, isFinalInvokeForWindow });
      return Promise.resolve({ ok: true, payload: JSON.stringify({ state: { calls: events.length } }), requestId: "r" });
    };
    const running = runStreamTrigger(trigger({ tumblingMs: 60_000 }), stream, { invoke, giveUp: () => undefined });
    await running.drained();
    await running.close();
    const window = (from: string, records: number, state: object, isFinalInvokeForWindow = false) => ({
      records,
      named: "string",
      from: `1970-01-01T00:0${from}:00Z`,
      state,
      isFinalInvokeForWindow,
    });
    expect(events.slice(0, 3)).toEqual([window("1", 2, {}), window("1", 0, { calls: 1 }, true), window("2", 1, {})]);
  });

  test("names another shard for each stream of a table", async () => {
    const shardsOf = async (streamArn: string): Promise<unknown[]> => {
      const { stream } = streamOf([at(1, 61), at(2, 62)]);
      const shards: unknown[] = [];
      const invoke: Lambda["invoke"] = (_arn, event) => {
        shards.push((event as { shardId: string }).shardId);
        return Promise.resolve({ ok: true, payload: JSON.stringify({ state: {} }), requestId: "r" });
      };
      const running = runStreamTrigger(trigger({ tumblingMs: 60_000, streamArn }), stream, { invoke, giveUp: () => undefined });
      await running.drained();
      await running.close();
      return [...new Set(shards)];
    };
    const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream";
    expect(await shardsOf(`${arn}/2020-01-01T00:00:00.000`)).toEqual(["shardId-00000001577836800000-00000001"]);
    expect(await shardsOf(`${arn}/2020-01-01T00:00:00.001`)).toEqual(["shardId-00000001577836800001-00000001"]);
  });

  test("treats an answer without a state as a failure", async () => {
    const { running, batches, givenUp } = run(rows(1), { tumblingMs: 60_000, maxRetries: 1 }, () => ({ payload: "null" }));
    await running.drained();
    await running.close();
    expect([batches, givenUp]).toEqual([[[1], [1]], [[1]]]);
  });
});

describe("a filter pattern", () => {
  const event = { eventName: "INSERT", dynamodb: { Keys: { pk: { S: "TENANT#a#CALL#1" } }, NewImage: { status: { S: "ended" } } } };
  test.each([
    ['{"eventName":["INSERT","MODIFY"]}', true],
    ['{"eventName":["REMOVE"]}', false],
    ['{"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"TENANT#"}]}}}}', true],
    ['{"dynamodb":{"Keys":{"pk":{"S":[{"suffix":"#2"}]}}}}', false],
    ['{"dynamodb":{"NewImage":{"status":{"S":[{"anything-but":["ended"]}]}}}}', false],
    ['{"dynamodb":{"OldImage":{"status":{"S":[{"exists":false}]}}}}', true],
    ['{"$or":[{"eventName":["REMOVE"]},{"dynamodb":{"NewImage":{"status":{"S":[{"equals-ignore-case":"ENDED"}]}}}}]}', true],
  ])("%s: %s", (pattern, passes) => expect(parsePattern(pattern, "here")(event)).toBe(passes));

  test("with an operator that does not run here stops the start", () => {
    expect(() => parsePattern('{"n":[{"numeric":[">",1]}]}', "stack/T")).toThrow(
      'stack/T: the filter at n uses "numeric", which does not run here.',
    );
  });
});

test("a schedule sends EventBridge's event, or the rule's own input", () => {
  const rule = { ruleName: "r", ruleArn: "arn:rule", account: "000000000000", region: "us-east-1", everyMs: 1, functionArn: "fn" };
  expect(scheduledEvent(rule)).toMatchObject({
    "detail-type": "Scheduled Event",
    source: "aws.events",
    resources: ["arn:rule"],
    account: "000000000000",
  });
  expect(scheduledEvent({ ...rule, input: '{"a":1}' })).toEqual({ a: 1 });
});
