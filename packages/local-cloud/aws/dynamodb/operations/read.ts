import query from "dynalite/actions/query.js";
import scan from "dynalite/actions/scan.js";
import type { Item } from "../../types.ts";
import { type Capacity, describeCapacity, itemSize, mergeCapacity, readUnits } from "../engine/capacity.ts";
import { type Call, cancelled, type Engine, tableOf } from "../engine/engine.ts";
import { holds } from "../engine/condition.ts";
import { db, invalid, parse, type Parsed, type Projection, type RawPage, refuse, type Table, toAwsError } from "../engine/dynalite.ts";
import { conflictReason } from "./transact-write.ts";

const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const MAX_TRANSACTION_GETS = 100;

export async function getItem(engine: Engine, call: Call): Promise<object> {
  const data = parse(engine.store, "GetItem", call.input);
  call.authorize([{ action: "GetItem", table: data.TableName, keys: [data.Key!] }]);
  const table = tableOf(engine, data.TableName);
  const item = await read(engine, rowKeyOf(table, data.Key!, data._projection));
  const spent = readCapacity(table, itemSize(item), data.ConsistentRead ? "strong" : "eventual");
  call.spend(spent);
  return {
    Item: item && project(item, data._projection),
    ConsumedCapacity: describeCapacity(spent, data.ReturnConsumedCapacity),
  };
}

type KeysAndProjection = { Keys: Item[]; ConsistentRead?: boolean; _projection?: Projection };

/** As in DynamoDB, the order of the items is not the order of the keys. */
export async function batchGetItem(engine: Engine, call: Call): Promise<object> {
  const data = parse(engine.store, "BatchGetItem", call.input);
  const requests = data.RequestItems as Record<string, KeysAndProjection>;
  call.authorize(Object.entries(requests).map(([table, { Keys }]) => ({ action: "BatchGetItem", table, keys: Keys })));
  const responses: Record<string, Item[]> = {};
  const unprocessed: Record<string, object> = {};
  const spent: Capacity[] = [];
  let bytes = 0;
  for (const [name, request] of Object.entries(requests)) {
    const table = tableOf(engine, name);
    const rows = request.Keys.map((key) => ({ key, rowKey: rowKeyOf(table, key, request._projection) }));
    rows.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    responses[name] = [];
    const left: Item[] = [];
    for (const { key, rowKey } of rows) {
      const item = await read(engine, rowKey);
      bytes += itemSize(item);
      if (bytes > MAX_BATCH_BYTES) {
        left.push(key);
        continue;
      }
      spent.push(readCapacity(table, itemSize(item), request.ConsistentRead ? "strong" : "eventual"));
      if (item) responses[name].push(project(item, request._projection));
    }
    if (left.length > 0) unprocessed[name] = { ...originalRequest(call, name), Keys: left };
  }
  const merged = mergeCapacity(spent);
  call.spend(...merged);
  return { Responses: responses, UnprocessedKeys: unprocessed, ConsumedCapacity: describeAll(merged, data.ReturnConsumedCapacity) };
}

function originalRequest(call: Call, table: string): object {
  return (call.input["RequestItems"] as Record<string, object>)[table]!;
}

/** Up to 100 items; throws while a transaction holds one of them. */
export async function transactGetItems(engine: Engine, call: Call): Promise<object> {
  const items = call.input["TransactItems"] as { Get?: Record<string, unknown> }[] | undefined;
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_TRANSACTION_GETS || items.some((item) => !item.Get)) {
    throw invalid(`TransactItems must hold between 1 and ${MAX_TRANSACTION_GETS} Get actions`);
  }
  const gets = items.map(({ Get }) => parse(engine.store, "GetItem", Get!));
  call.authorize(gets.map((data) => ({ action: "GetItem", table: data.TableName, keys: [data.Key!], enclosing: "TransactGetItems" })));
  const reads = gets.map((data) => {
    const table = tableOf(engine, data.TableName);
    return { table, data, rowKey: rowKeyOf(table, data.Key!, data._projection) };
  });
  if (new Set(reads.map(({ rowKey }) => rowKey)).size < reads.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
  const conflict = reads.map(({ rowKey }) => engine.inFlight.has(rowKey));
  if (conflict.includes(true)) throw cancelled(conflict.map(conflictReason));
  const found = await engine.exclusively(() => Promise.all(reads.map(({ rowKey }) => read(engine, rowKey))));
  const spent = mergeCapacity(found.map((item, at) => readCapacity(reads[at]!.table, itemSize(item), "transactional")));
  call.spend(...spent);
  return {
    Responses: found.map((item, at) => (item ? { Item: project(item, reads[at]!.data._projection) } : {})),
    ConsumedCapacity: describeAll(spent, call.input["ReturnConsumedCapacity"] as string | undefined, true),
  };
}

/** dynalite walks the rows; size, filter and projection are computed here, since capacity counts every row walked. */
export function walk(operation: "Query" | "Scan") {
  const action = operation === "Query" ? query : scan;
  return async (engine: Engine, call: Call): Promise<object> => {
    const data = parse(engine.store, operation, call.input);
    call.authorize([{ action: operation, table: data.TableName, index: data.IndexName, hash: hashOf(engine, data) }]);
    const table = tableOf(engine, data.TableName);
    refuseFilterOnKey(table, data, operation);
    const page = await run(action, engine, data);
    const bytes = page.Items.reduce((total, item) => total + itemSize(item), 0);
    const units = readUnits(bytes, data.ConsistentRead ? "strong" : "eventual");
    const spent: Capacity = {
      table: table.TableName,
      kind: "read",
      tableUnits: data.IndexName ? 0 : units,
      indexUnits: data.IndexName ? { [data.IndexName]: units } : {},
    };
    call.spend(spent);
    const kept = data._filter ? page.Items.filter((item) => holds(data._filter!.expression, item)) : page.Items;
    return {
      Items: data.Select === "COUNT" ? undefined : kept.map((item) => project(item, data._projection)),
      Count: kept.length,
      ScannedCount: page.ScannedCount,
      LastEvaluatedKey: page.LastEvaluatedKey,
      ConsumedCapacity: describeCapacity(spent, data.ReturnConsumedCapacity),
    };
  };
}

function run(action: typeof query, engine: Engine, data: Parsed): Promise<RawPage> {
  const bare: Parsed = { ...data, _filter: undefined, _projection: undefined, Select: undefined, ReturnConsumedCapacity: undefined };
  return new Promise((resolve, reject) => {
    action(engine.store, bare, (error, page) => (error ? reject(toAwsError(error)) : resolve(page)));
  });
}

function hashOf(engine: Engine, data: Parsed): Item | undefined {
  const table = engine.tables.get(data.TableName);
  const index = table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === data.IndexName);
  const attribute = (index ?? table)?.KeySchema[0]?.AttributeName;
  const value = attribute && data.KeyConditions?.[attribute]?.AttributeValueList[0];
  return attribute && value ? { [attribute]: value } : undefined;
}

function refuseFilterOnKey(table: Table, data: Parsed, operation: string): void {
  if (operation !== "Query" || !data._filter) return;
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === data.IndexName);
  for (const { AttributeName } of (index ?? table).KeySchema) {
    if (!data._filter.pathHeads[AttributeName]) continue;
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${AttributeName}`);
  }
}

function rowKeyOf(table: Table, key: Item, projection: Projection | undefined): string {
  refuse(db.validateKey(key, table));
  refuse(db.validateKeyPaths(projection?.nestedPaths, table));
  return `item-${table.TableName}~${db.createKey(key, table)}`;
}

async function read(engine: Engine, rowKey: string): Promise<Item | undefined> {
  return engine.level.getSync(rowKey) as Item | undefined;
}

function project(item: Item, projection: Projection | undefined): Item {
  return projection ? db.mapPaths(projection.paths, item) : item;
}

function readCapacity(table: Table, bytes: number, consistency: Parameters<typeof readUnits>[1]): Capacity {
  return { table: table.TableName, kind: "read", tableUnits: readUnits(bytes, consistency), indexUnits: {} };
}

function describeAll(spent: Capacity[], detail: string | undefined, transactional = false) {
  if (!detail || detail === "NONE") return undefined;
  return spent.map((part) => describeCapacity(part, detail, transactional));
}
