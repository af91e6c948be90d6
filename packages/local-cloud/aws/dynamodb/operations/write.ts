import { isDeepStrictEqual } from "node:util";
import { AwsError } from "../../http/respond.ts";
import type { Item, StreamRecord } from "../../types.ts";
import { applyUpdate, updatedAttributes } from "../engine/apply-update.ts";
import { describeCapacity, itemSize, MAX_ITEM_BYTES, mergeCapacity, refusedWriteCapacity, writeCapacity } from "../engine/capacity.ts";
import { type BatchRow, db, invalid, parse, type Parsed, refuse, type Table } from "../engine/dynalite.ts";
import { type Call, type Change, type Engine, tableOf, writeRows } from "../engine/engine.ts";
import { holds } from "../engine/condition.ts";
import { nextRecord, streamRow } from "../engine/stream.ts";

export function writeItem(verb: Exclude<Verb, "ConditionCheck">) {
  const operation = `${verb}Item` as const;
  return async (engine: Engine, call: Call): Promise<object> => {
    const data = parse(engine.store, operation, call.input);
    refuseOtherReturnValues(verb, data.ReturnValues);
    call.authorize([{ action: operation, table: data.TableName, keys: [data.Item ?? data.Key!] }]);
    const write = prepareWrite(verb, tableOf(engine, data.TableName), data, call.input);
    if (engine.inFlight.has(write.rowKey)) throw itemInTransaction();
    const change = await engine.exclusively(async () => {
      const planned = await plan(engine, write, call);
      await commitChanges(engine, [planned]);
      return planned;
    });
    const spent = writeCapacity(change);
    call.spend(spent);
    return {
      Attributes: returnedAttributes(data, change),
      ConsumedCapacity: describeCapacity(spent, data.ReturnConsumedCapacity),
    };
  };
}

function refuseOtherReturnValues(verb: Verb, asked: string | undefined): void {
  if (verb !== "Update" && asked && !["NONE", "ALL_OLD"].includes(asked)) throw invalid("Return values set to invalid value");
}

async function plan(engine: Engine, write: Write, call: Call): Promise<Change> {
  const old = engine.level.getSync(write.rowKey) as Item | undefined;
  try {
    return planWrite(write, old);
  } catch (error) {
    if ((error as AwsError).code === "ConditionalCheckFailedException") call.spend(refusedWriteCapacity(write.table, old));
    throw error;
  }
}

function returnedAttributes(data: Parsed, { old, next }: Change): Item | undefined {
  if (data.ReturnValues === "ALL_OLD") return old;
  if (data.ReturnValues === "ALL_NEW") return next;
  if (data.ReturnValues === "UPDATED_OLD") return updatedAttributes(data._updates, old);
  if (data.ReturnValues === "UPDATED_NEW") return updatedAttributes(data._updates, next);
  return undefined;
}

function itemInTransaction(): AwsError {
  return new AwsError(400, "TransactionConflictException", "Transaction is ongoing for the item");
}

type WriteRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };

/** Items held by a transaction come back as UnprocessedItems. */
export async function batchWriteItem(engine: Engine, call: Call): Promise<object> {
  const data = parse(engine.store, "BatchWriteItem", call.input);
  const requests = data.RequestItems as Record<string, WriteRequest[]>;
  const entries = Object.entries(requests).flatMap(([table, list]) => list.map((request) => ({ table, request })));
  if (entries.length > 25) throw invalid("Too many items requested for the BatchWriteItem call");
  call.authorize(
    Object.entries(requests).map(([table, list]) => ({
      action: "BatchWriteItem",
      table,
      keys: list.map((request) => request.PutRequest?.Item ?? request.DeleteRequest!.Key),
    })),
  );
  const writes = entries.map(({ table, request }) => ({ request, write: prepareRequest(engine, table, request) }));
  if (new Set(writes.map(({ write }) => write.rowKey)).size < writes.length) {
    throw invalid("Provided list of item keys contains duplicates");
  }
  const free = writes.filter(({ write }) => !engine.inFlight.has(write.rowKey));
  const changes = await engine.exclusively(async () => {
    const planned = await Promise.all(free.map(({ write }) => plan(engine, write, call)));
    await commitChanges(engine, planned);
    return planned;
  });
  const spent = mergeCapacity(changes.map((change) => writeCapacity(change)));
  call.spend(...spent);
  return {
    UnprocessedItems: byTable(writes.filter((entry) => !free.includes(entry))),
    ConsumedCapacity: data.ReturnConsumedCapacity ? spent.map((part) => describeCapacity(part, data.ReturnConsumedCapacity)) : undefined,
  };
}

function prepareRequest(engine: Engine, tableName: string, request: WriteRequest): Write {
  const table = tableOf(engine, tableName);
  const verb = request.PutRequest ? "Put" : "Delete";
  return prepareWrite(verb, table, { TableName: tableName, ...request.PutRequest, ...request.DeleteRequest }, {});
}

function byTable(entries: { request: WriteRequest; write: Write }[]): Record<string, WriteRequest[]> {
  const tables: Record<string, WriteRequest[]> = {};
  for (const { request, write } of entries) (tables[write.table.TableName] ??= []).push(request);
  return tables;
}

export type Verb = "Put" | "Update" | "Delete" | "ConditionCheck";

export type Write = { verb: Verb; table: Table; data: Parsed; rowKey: string; returnsItemOnFailure: boolean };

export function prepareWrite(verb: Verb, table: Table, data: Parsed, input: object): Write {
  if (verb === "Put") refuseUnfit(table, data.Item!);
  else refuse(db.validateKey(data.Key!, table));
  if (verb === "Update") refuse(db.validateUpdates(undefined, data._updates, table));
  const rowKey = `item-${table.TableName}~${db.createKey(data.Item ?? data.Key!, table)}`;
  const returnsItemOnFailure =
    (input as { ReturnValuesOnConditionCheckFailure?: string }).ReturnValuesOnConditionCheckFailure === "ALL_OLD";
  return { verb, table, data, rowKey, returnsItemOnFailure };
}

/** Pure. Throws AwsError ConditionalCheckFailedException or ValidationException. */
export function planWrite(write: Write, old: Item | undefined): Change {
  const { verb, table, data, rowKey } = write;
  if (data._condition && !holds(data._condition.expression, old ?? {})) {
    const fields = write.returnsItemOnFailure && old ? { Item: old } : {};
    throw new AwsError(400, "ConditionalCheckFailedException", "The conditional request failed", fields);
  }
  if (verb === "ConditionCheck") return { table, rowKey, old, next: old };
  if (verb === "Delete") return { table, rowKey, old };
  const next = verb === "Put" ? data.Item! : updated(data, old);
  refuseUnfit(table, next);
  if (itemSize(next) > MAX_ITEM_BYTES) throw invalid("Item size to update has exceeded the maximum allowed size");
  return { table, rowKey, old, next };
}

function updated(data: Parsed, old: Item | undefined): Item {
  const item = old ?? data.Key!;
  return data._updates ? applyUpdate(data._updates, item) : item;
}

function refuseUnfit(table: Table, item: Item): void {
  refuse(db.validateItem(item, table));
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    for (const { AttributeName } of index.KeySchema) {
      const value = item[AttributeName];
      if (value?.S !== "" && value?.B !== "") continue;
      throw invalid(
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
          `The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index.IndexName}, IndexKey: ${AttributeName}`,
      );
    }
  }
}

/**
 * Commits changes, index rows, stream records and `extra` rows as one batch. The caller must hold the engine's lock. `expired` marks
 * deletions by TTL.
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
