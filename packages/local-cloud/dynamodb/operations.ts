import type { Item } from "../aws/types.ts";
import type { Capacity } from "./capacity.ts";
import type { Engine } from "./engine.ts";
import { batchGetItem, getItem, transactGetItems, walk } from "./read.ts";
import {
  createTable,
  describeContinuousBackups,
  describeTable,
  describeTimeToLive,
  listTables,
  updateContinuousBackups,
  updateTimeToLive,
} from "./tables.ts";
import { transactWriteItems } from "./transact-write.ts";
import { batchWriteItem, writeItem } from "./write.ts";

/** What a request wants to touch; `keys` and `hash` become the condition key dynamodb:LeadingKeys. */
export type TableAccess = {
  action: string;
  table?: string;
  index?: string;
  keys?: Item[];
  hash?: Item;
  enclosing?: string;
};

/** One request: its JSON body, who may, and what it costs. */
export type Call = {
  input: Record<string, unknown>;
  /** Throws AccessDeniedException for the first access that is not allowed. */
  authorize(accesses: TableAccess[]): void;
  spend(...parts: Capacity[]): void;
};

export type Operation = (engine: Engine, call: Call) => Promise<object>;

/** DynamoDB JSON 1.0, by the name after `DynamoDB_20120810.` in X-Amz-Target. */
export const OPERATIONS: Record<string, Operation> = {
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  CreateTable: createTable,
  DeleteItem: writeItem("Delete"),
  DescribeContinuousBackups: describeContinuousBackups,
  DescribeTable: describeTable,
  DescribeTimeToLive: describeTimeToLive,
  GetItem: getItem,
  ListTables: listTables,
  PutItem: writeItem("Put"),
  Query: walk("Query"),
  Scan: walk("Scan"),
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  UpdateContinuousBackups: updateContinuousBackups,
  UpdateItem: writeItem("Update"),
  UpdateTimeToLive: updateTimeToLive,
};
