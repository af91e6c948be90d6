import db from "dynalite/db/index.js";
import validations from "dynalite/validations/index.js";
import batchGetItem from "dynalite/validations/batchGetItem.js";
import batchWriteItem from "dynalite/validations/batchWriteItem.js";
import createTable from "dynalite/validations/createTable.js";
import deleteItem from "dynalite/validations/deleteItem.js";
import getItem from "dynalite/validations/getItem.js";
import putItem from "dynalite/validations/putItem.js";
import query from "dynalite/validations/query.js";
import scan from "dynalite/validations/scan.js";
import updateItem from "dynalite/validations/updateItem.js";
import "./expression-cache.ts";
import { AwsError } from "../../http/respond.ts";
import type { AttributeDefinition, AttributeValue, IndexSpec, Item, KeySchemaElement } from "../../types.ts";

export type Path = (string | number)[];
export type ConditionNode = { type: string; name?: string; args: ConditionOperand[] };
export type ConditionOperand = ConditionNode | AttributeValue | Path;
export type Condition = { expression: ConditionNode; pathHeads: Record<string, true>; nestedPaths: Record<string, true> };
export type Projection = { paths: Path[]; nestedPaths: Record<string, true> };

export type Operand = AttributeValue | Path | { type: string; name?: string; args: Operand[] };
export type UpdateSection = { type: "set" | "remove" | "add" | "delete"; path: Path; val: Operand; attrType: string };
export type Updates = { sections: UpdateSection[]; paths: Path[]; nestedPaths: Record<string, true> };

export type Parsed = {
  TableName: string;
  IndexName?: string;
  Item?: Item;
  Key?: Item;
  Keys?: Item[];
  KeyConditions?: Record<string, { ComparisonOperator: string; AttributeValueList: AttributeValue[] }>;
  RequestItems?: Record<string, unknown>;
  ConsistentRead?: boolean;
  Limit?: number;
  Select?: string;
  ReturnValues?: string;
  ReturnConsumedCapacity?: string;
  _condition?: Condition;
  _updates?: Updates;
  _filter?: Condition;
  _projection?: Projection;
};

export type RawPage = { Items: Item[]; ScannedCount: number; LastEvaluatedKey?: Item };

export type Table = {
  TableName: string;
  TableArn: string;
  TableId: string;
  TableStatus: "ACTIVE";
  KeySchema: KeySchemaElement[];
  AttributeDefinitions: AttributeDefinition[];
  GlobalSecondaryIndexes?: (IndexSpec & { IndexArn: string; IndexStatus: "ACTIVE" })[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType: "NEW_AND_OLD_IMAGES" };
  LatestStreamArn?: string;
  SSEDescription?: { Status: "ENABLED"; SSEType: "KMS"; KMSMasterKeyArn: string };
} & Record<string, unknown>;

export type BatchRow = { type: "put"; key: string; value: unknown } | { type: "del"; key: string };
export type Range = { gt?: string; gte?: string; lt?: string; lte?: string; limit?: number; reverse?: boolean };

export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  /** Without a thread, which takes longer than the read. Undefined if there is none. */
  getSync(key: string): unknown;
  put(key: string, value: unknown): Promise<void>;
  batch(rows: BatchRow[]): Promise<void>;
  iterator(range: Range): AsyncIterable<[string, unknown]>;
  values(range: Range): { nextv(count: number): Promise<unknown[]>; close(): Promise<void> };
  clear(range: Range): Promise<void>;
};

export type Store = {
  db: Level;
  options: { maxItemSize: number };
  getTable(name: string, found: (error: null, table: Table | undefined) => void): void;
};

const VALIDATIONS = {
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  CreateTable: createTable,
  DeleteItem: deleteItem,
  GetItem: getItem,
  PutItem: putItem,
  Query: query,
  Scan: scan,
  UpdateItem: updateItem,
};

const LEGACY = ["Expected", "AttributeUpdates", "AttributesToGet", "ConditionalOperator", "KeyConditions", "QueryFilter", "ScanFilter"];

/** Validates a request as DynamoDB does and parses its expressions. Throws AwsError ValidationException or SerializationException. */
export function parse(store: Store, operation: keyof typeof VALIDATIONS, input: object): Parsed {
  const legacy = LEGACY.find((name) => name in input);
  if (legacy) throw invalid(`${legacy} is not supported here: use expressions`);
  const { types, custom } = VALIDATIONS[operation];
  try {
    const data = validations.checkTypes({ ...input }, types);
    validations.checkValidations(data, types, custom, store);
    return data as Parsed;
  } catch (error) {
    throw toAwsError(error);
  }
}

export function refuse(error: Error | null | undefined): void {
  if (error) throw toAwsError(error);
}

export function invalid(message: string): AwsError {
  return new AwsError(400, "ValidationException", message);
}

export function toAwsError(error: unknown): unknown {
  const body = (error as { body?: { __type: string; message?: string; Message?: string } }).body;
  if (!body) return error;
  return new AwsError(400, body.__type.split("#").at(-1)!, body.message ?? body.Message ?? "");
}

const maxPageBytes = 1024 * 1024;
const maxRowsARead = 100;

/** Reads rows with one iterator: the streams of dynalite 4.0.0 take twice the time of a whole query. */
db.queryTable = (store, table, data, range, _isLocal, _fetchFromItemDb, keyNames, done) =>
  void readPage(store.db, table, data, range, keyNames).then((page) => done(null, page), done);

async function readPage(
  level: Level,
  table: Table,
  { TableName, IndexName, Limit = Number.POSITIVE_INFINITY }: Parsed,
  range: Range,
  keyNames: string[],
): Promise<RawPage> {
  const rangeKey = table.KeySchema[1]?.AttributeName;
  const rows = level.values(rangeWithin(IndexName === undefined ? `item-${TableName}~` : `index-global~${TableName}~${IndexName}~`, range));
  const items: Item[] = [];
  let bytes = 0;
  const isFull = () => items.length >= Limit || bytes >= maxPageBytes;
  try {
    for (let next: unknown[] = [undefined]; next.length > 0 && !isFull();) {
      next = await rows.nextv(Math.min(Limit - items.length, maxRowsARead));
      for (const item of next as Item[]) {
        if (isFull()) break;
        items.push(item);
        bytes += db.itemSize(item, true, true, rangeKey);
      }
    }
  } finally {
    await rows.close();
  }
  const last = items.at(-1);
  const lastKey = isFull() && last ? Object.fromEntries(keyNames.map((name) => [name, last[name]!])) : undefined;
  return { Items: items, ScannedCount: items.length, ...(lastKey && { LastEvaluatedKey: lastKey }) };
}

function rangeWithin(prefix: string, { gt, gte, lt, lte, reverse }: Range): Range {
  return {
    ...(gte !== undefined ? { gte: prefix + gte } : gt !== undefined ? { gt: prefix + gt } : { gte: prefix }),
    ...(lte !== undefined ? { lte: prefix + lte } : lt !== undefined ? { lt: prefix + lt } : { lt: `${prefix}\u{ff}` }),
    ...(reverse && { reverse }),
  };
}

export { db };
