import { isDeepStrictEqual } from "node:util";
import type { Item } from "../aws/types.ts";
import { db, type Table } from "./dynalite.ts";
import { itemSize } from "./item-size.ts";

/** Units that one request spent on one table. */
export type Capacity = { table: string; kind: "read" | "write"; tableUnits: number; indexUnits: Record<string, number> };

type Images = { table: Table; old?: Item; next?: Item };

/** Write units of one item: the larger image per KB, doubled in a transaction; index writes are never doubled. */
export function writeCapacity(change: Images, transactional = false): Capacity {
  const bytes = Math.max(itemSize(change.old), itemSize(change.next));
  const tableUnits = kilobytes(bytes, 1) * (transactional ? 2 : 1);
  return { table: change.table.TableName, kind: "write", tableUnits, indexUnits: indexUnits(change) };
}

/** A refused write still pays for the item that it read. */
export function refusedWriteCapacity(table: Table, old: Item | undefined): Capacity {
  return { table: table.TableName, kind: "write", tableUnits: kilobytes(itemSize(old), 1), indexUnits: {} };
}

/** Read units for bytes read: per 4 KB, half if eventually consistent, double in a transaction. */
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

/** Nothing changed: free. Same key: one write of the larger. Moved: a delete and a put. */
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

/** Adds up what belongs to the same table. */
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

export function totalUnits(parts: Capacity[], kind: Capacity["kind"]): number {
  return parts.filter((part) => part.kind === kind).reduce((total, part) => total + unitsOf(part), 0);
}

/** `ConsumedCapacity` of one table as the caller asked for it; transactions also name the kind of unit. */
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
