import { isDeepStrictEqual } from "node:util";
import type { AttributeValue, Item, Usage } from "../../types.ts";
import { db, type Table } from "./dynalite.ts";

const KEPT_REQUESTS = 10_000;

export function createUsageLog() {
  let entries: Usage[] = [];
  let nextId = 1;
  return {
    add(request: { operation: string; principalArn: string; trace?: string; error?: string }, spent: Capacity[]) {
      entries.push({
        id: nextId++,
        ...request,
        tables: [...new Set(spent.map((part) => part.table))],
        readUnits: totalUnits(spent, "read"),
        writeUnits: totalUnits(spent, "write"),
      });
      if (entries.length > KEPT_REQUESTS * 2) entries = entries.slice(-KEPT_REQUESTS);
    },
    since(id = 0): Usage[] {
      return entries.slice(-KEPT_REQUESTS).filter((entry) => entry.id > id);
    },
    reset() {
      entries = [];
    },
  };
}

export const MAX_ITEM_BYTES = 400 * 1024;

/** Bytes of an item by DynamoDB's published rules: UTF-8 names plus values. */
export function itemSize(item: Item | undefined): number {
  if (!item) return 0;
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    // dynalite stores undefined where an index projects an attribute that the item lacks
    if (value) bytes += Buffer.byteLength(name) + valueSize(value);
  }
  return bytes;
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return binarySize(value.B);
  if (value.SS) return sum(value.SS, (text) => Buffer.byteLength(text));
  if (value.NS) return sum(value.NS, numberSize);
  if (value.BS) return sum(value.BS, binarySize);
  if (value.L) return 3 + sum(value.L, (member) => 1 + valueSize(member));
  if (value.M) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 1;
}

/** About one byte per two significant digits, plus one; AWS says "approximately". */
function numberSize(number: string): number {
  const digits = number.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
  return Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
}

function binarySize(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}

function sum<T>(members: T[], size: (member: T) => number): number {
  return members.reduce((total, member) => total + size(member), 0);
}

export type Capacity = { table: string; kind: "read" | "write"; tableUnits: number; indexUnits: Record<string, number> };

type Images = { table: Table; old?: Item; next?: Item };

/** Write units of one item: the larger image per KB, doubled in a transaction. Index writes are never doubled. */
export function writeCapacity(change: Images, transactional = false): Capacity {
  const bytes = Math.max(itemSize(change.old), itemSize(change.next));
  const tableUnits = kilobytes(bytes, 1) * (transactional ? 2 : 1);
  return { table: change.table.TableName, kind: "write", tableUnits, indexUnits: indexUnits(change) };
}

/** A failed conditional write still costs the read of its item. */
export function refusedWriteCapacity(table: Table, old: Item | undefined): Capacity {
  return { table: table.TableName, kind: "write", tableUnits: kilobytes(itemSize(old), 1), indexUnits: {} };
}

/** Per 4 KB; half if eventually consistent, double in a transaction. */
export function readUnits(bytes: number, consistency: "eventual" | "strong" | "transactional"): number {
  return kilobytes(bytes, 4) * { eventual: 0.5, strong: 1, transactional: 2 }[consistency];
}

function indexUnits({ table, old, next }: Images): Record<string, number> {
  const units: Record<string, number> = {};
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    const [before] = db.getIndexActions([index], undefined, old, table).puts;
    const [after] = db.getIndexActions([index], undefined, next, table).puts;
    const cost = indexCost(before, after);
    if (cost > 0) units[index.IndexName] = cost;
  }
  return units;
}

type Entry = { key: string; item: Item } | undefined;

/** Unchanged: free. Same key: one write of the larger entry. Changed key: a delete and a put. */
function indexCost(before: Entry, after: Entry): number {
  if (before?.key !== after?.key) {
    return (before ? kilobytes(itemSize(before.item), 1) : 0) + (after ? kilobytes(itemSize(after.item), 1) : 0);
  }
  if (!before || !after || isDeepStrictEqual({ ...before.item }, { ...after.item })) return 0;
  return kilobytes(Math.max(itemSize(before.item), itemSize(after.item)), 1);
}

function kilobytes(bytes: number, per: number): number {
  return Math.max(1, Math.ceil(bytes / 1024 / per));
}

export function mergeCapacity(parts: Capacity[]): Capacity[] {
  const tables = new Map<string, Capacity>();
  for (const part of parts) {
    const total = tables.get(part.table);
    if (!total) {
      tables.set(part.table, { ...part, indexUnits: { ...part.indexUnits } });
      continue;
    }
    total.tableUnits += part.tableUnits;
    for (const [index, units] of Object.entries(part.indexUnits)) {
      total.indexUnits[index] = (total.indexUnits[index] ?? 0) + units;
    }
  }
  return [...tables.values()];
}

function totalUnits(parts: Capacity[], kind: Capacity["kind"]): number {
  return parts.filter((part) => part.kind === kind).reduce((total, part) => total + unitsOf(part), 0);
}

export function describeCapacity(part: Capacity, detail: string | undefined, transactional = false) {
  if (detail !== "TOTAL" && detail !== "INDEXES") return undefined;
  const shape = (units: number) =>
    transactional
      ? { CapacityUnits: units, [part.kind === "read" ? "ReadCapacityUnits" : "WriteCapacityUnits"]: units }
      : { CapacityUnits: units };
  const total = { TableName: part.table, ...shape(unitsOf(part)) };
  if (detail === "TOTAL") return total;
  const indexes = Object.entries(part.indexUnits).map(([name, units]) => [name, shape(units)] as const);
  return {
    ...total,
    Table: shape(part.tableUnits),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: Object.fromEntries(indexes) }),
  };
}

function unitsOf(part: Capacity): number {
  return Object.values(part.indexUnits).reduce((total, units) => total + units, part.tableUnits);
}
