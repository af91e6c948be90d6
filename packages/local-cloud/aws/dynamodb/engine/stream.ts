import { randomUUID } from "node:crypto";
import type { Item, StreamRecord, TableStream } from "../../types.ts";
import { type Change, type Engine, prefix, tableOf, writeRows } from "./engine.ts";
import { itemSize } from "./capacity.ts";

const KEPT_SECONDS = 24 * 3600;
const SEQUENCE_DIGITS = 21;

export function streamRow(table: string, sequenceNumber: string): string {
  return `stream~${table}~${sequenceNumber}`;
}

export function nextRecord(engine: Engine, change: Change, expired: boolean): StreamRecord {
  const { table, old, next } = change;
  const sequence = engine.sequences.get(table.TableName)! + 1n;
  engine.sequences.set(table.TableName, sequence);
  const keys: Item = {};
  for (const { AttributeName } of table.KeySchema) keys[AttributeName] = (next ?? old)![AttributeName]!;
  return {
    eventID: randomUUID().replaceAll("-", ""),
    eventName: !old ? "INSERT" : next ? "MODIFY" : "REMOVE",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: engine.region,
    eventSourceARN: table.LatestStreamArn!,
    ...(expired && { userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } }),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(engine.clock() / 1000),
      Keys: keys,
      ...(next && { NewImage: next }),
      ...(old && { OldImage: old }),
      SequenceNumber: sequence.toString().padStart(SEQUENCE_DIGITS, "0"),
      SizeBytes: itemSize(keys) + itemSize(old) + itemSize(next),
      StreamViewType: "NEW_AND_OLD_IMAGES",
    },
  };
}

export function tableStream(engine: Engine, tableName: string): TableStream {
  const offsetRow = (consumer: string) => `offset~${tableName}~${consumer}`;
  return {
    async read(consumer, max) {
      const offset = engine.level.getSync(offsetRow(consumer));
      // Writing the starting position keeps records from being trimmed before this consumer has read them
      if (offset === undefined) await engine.level.put(offsetRow(consumer), "");
      const records: StreamRecord[] = [];
      const range = { ...prefix(`stream~${tableName}~`), limit: max };
      const after = offset ? { gt: streamRow(tableName, offset as string), lt: range.lt, limit: max } : range;
      for await (const [, record] of engine.level.iterator(after)) records.push(record as StreamRecord);
      return records;
    },
    async ack(consumer, sequenceNumber) {
      await engine.level.put(offsetRow(consumer), sequenceNumber);
    },
    onRecords(listener) {
      const wrapped = (table: string) => {
        if (table === tableName) listener();
      };
      engine.streamListeners.add(wrapped);
      return () => void engine.streamListeners.delete(wrapped);
    },
    dropOld: (nowMs) => engine.exclusively(() => trimStream(engine, tableName, nowMs, { unread: true })),
  };
}

/** Drops records older than a day, by default only those that every consumer has passed. Keeps the newest, which holds the sequence number. */
export async function trimStream(engine: Engine, tableName: string, nowMs: number, { unread = false } = {}): Promise<void> {
  tableOf(engine, tableName);
  const passed = unread ? undefined : await slowestOffset(engine, tableName);
  const rows: { type: "del"; key: string }[] = [];
  for await (const [key, value] of engine.level.iterator(prefix(`stream~${tableName}~`))) {
    const { SequenceNumber, ApproximateCreationDateTime } = (value as StreamRecord).dynamodb;
    const young = ApproximateCreationDateTime > nowMs / 1000 - KEPT_SECONDS;
    const newest = BigInt(SequenceNumber) === engine.sequences.get(tableName);
    if (young || newest || (passed !== undefined && SequenceNumber > passed)) break;
    rows.push({ type: "del", key });
  }
  await writeRows(engine, rows);
}

async function slowestOffset(engine: Engine, tableName: string): Promise<string | undefined> {
  let slowest: string | undefined;
  for await (const [, offset] of engine.level.iterator(prefix(`offset~${tableName}~`))) {
    if (slowest === undefined || (offset as string) < slowest) slowest = offset as string;
  }
  return slowest;
}
