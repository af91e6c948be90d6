import type { Call, Engine } from "./engine/engine.ts";
import { batchGetItem, getItem, transactGetItems, walk } from "./operations/read.ts";
import {
  createTable,
  describeContinuousBackups,
  describeTable,
  describeTimeToLive,
  listTables,
  updateContinuousBackups,
  updateTable,
  updateTimeToLive,
} from "./operations/tables.ts";
import { restoreTableToPointInTime } from "./operations/restore.ts";
import { transactWriteItems } from "./operations/transact-write.ts";
import { batchWriteItem, writeItem } from "./operations/write.ts";

type Operation = (engine: Engine, call: Call) => Promise<object>;

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
  RestoreTableToPointInTime: restoreTableToPointInTime,
  PutItem: writeItem("Put"),
  Query: walk("Query"),
  Scan: walk("Scan"),
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  UpdateContinuousBackups: updateContinuousBackups,
  UpdateItem: writeItem("Update"),
  UpdateTable: updateTable,
  UpdateTimeToLive: updateTimeToLive,
};

export { type Capacity, createUsageLog } from "./engine/capacity.ts";
export { sweepExpired } from "./engine/expiry.ts";
export { openEngine, type Engine, type TableAccess } from "./engine/engine.ts";
export { tableStream } from "./engine/stream.ts";
export { emptyTables, ensureTable } from "./operations/tables.ts";
