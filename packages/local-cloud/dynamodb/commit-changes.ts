import { isDeepStrictEqual } from "node:util";
import type { StreamRecord } from "../aws/types.ts";
import { db, type BatchRow } from "./dynalite.ts";
import { writeRows, type Engine } from "./engine.ts";
import type { Change } from "./plan-write.ts";
import { nextRecord, streamRow } from "./stream.ts";

/**
 * Writes all changes, their index rows, their stream records and `extra` rows as one batch: a kill leaves all or nothing.
 * Must run under the engine's lock. `expired` marks deletions by TTL.
 */
export async function commitChanges(
  engine: Engine,
  changes: Change[],
  { extra = [], expired = false }: { extra?: BatchRow[]; expired?: boolean } = {},
): Promise<void> {
  const real = changes.filter(({ old, next }) => !isDeepStrictEqual(old, next));
  const records = real
    .filter(({ table }) => table.StreamSpecification?.StreamEnabled)
    .map((change) => ({ table: change.table.TableName, record: nextRecord(engine, change, expired) }));
  await writeRows(engine, [...real.flatMap(rowsOf), ...records.map(toRow), ...extra]);
  for (const table of new Set(records.map((entry) => entry.table))) {
    for (const listener of engine.streamListeners) listener(table);
  }
}

function toRow({ table, record }: { table: string; record: StreamRecord }): BatchRow {
  return { type: "put", key: streamRow(table, record.dynamodb.SequenceNumber), value: record };
}

function rowsOf({ table, rowKey, old, next }: Change): BatchRow[] {
  const rows: BatchRow[] = [next ? { type: "put", key: rowKey, value: next } : { type: "del", key: rowKey }];
  const { puts, deletes } = db.getIndexActions(table.GlobalSecondaryIndexes ?? [], old, next, table);
  const indexRow = (index: string, key: string) => `index-global~${table.TableName}~${index}~${key}`;
  for (const { index, key } of deletes) rows.push({ type: "del", key: indexRow(index, key) });
  for (const { index, key, item } of puts) rows.push({ type: "put", key: indexRow(index, key), value: item });
  return rows;
}
