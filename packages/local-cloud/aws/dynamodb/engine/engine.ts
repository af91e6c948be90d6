import { type BatchRow, db, type Level, type Store, type Table } from "./dynalite.ts";
import { AwsError } from "../../http/respond.ts";
import type { Item, StreamRecord } from "../../types.ts";
import type { Capacity } from "./capacity.ts";

export type TableSettings = { ttlAttribute?: string; pointInTimeRecovery?: boolean };

/**
 * dynalite's LevelDB with one write lock. Row keys: `table~<name>`, `settings~<name>`, `item-<name>~<key>`,
 * `index-global~<name>~<index>~<key>`, `stream~<name>~<sequence>`, `offset~<name>~<consumer>`, `token~<token>`.
 */
export type Engine = {
  store: Store;
  level: Level;
  region: string;
  account: string;
  tables: Map<string, Table>;
  settings: Map<string, TableSettings>;
  sequences: Map<string, bigint>;
  inFlight: Set<string>;
  tokensInFlight: Set<string>;
  /** A transaction keeps its items in flight until then. */
  holdTransaction: () => Promise<unknown>;
  clock: () => number;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Called with the table's name after a commit that wrote stream records. */
  streamListeners: Set<(table: string) => void>;
};

type Options = { path?: string; region: string; account: string; holdTransaction: Engine["holdTransaction"]; clock?: () => number };

export async function openEngine(options: Options): Promise<Engine> {
  const store = db.create({ path: options.path, createTableMs: 0 });
  const level = store.db;
  await level.open();
  const tables = new Map<string, Table>();
  const settings = new Map<string, TableSettings>();
  const sequences = new Map<string, bigint>();
  for await (const [, table] of level.iterator(prefix("table~"))) tables.set((table as Table).TableName, table as Table);
  for (const name of tables.keys()) {
    settings.set(name, (level.getSync(`settings~${name}`) ?? {}) as TableSettings);
    sequences.set(name, await newestSequence(level, name));
  }
  store.getTable = (name, found) => found(null, tables.get(name));
  return {
    store,
    level,
    region: options.region,
    account: options.account,
    tables,
    settings,
    sequences,
    inFlight: new Set(),
    tokensInFlight: new Set(),
    holdTransaction: options.holdTransaction,
    clock: options.clock ?? (() => Date.now()),
    exclusively: mutex(),
    streamListeners: new Set(),
  };
}

async function newestSequence(level: Level, table: string): Promise<bigint> {
  for await (const [, record] of level.iterator({ ...prefix(`stream~${table}~`), reverse: true, limit: 1 })) {
    return BigInt((record as StreamRecord).dynamodb.SequenceNumber);
  }
  return 0n;
}

function mutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}

export function prefix(text: string) {
  return { gte: text, lt: `${text}\u{ffff}` };
}

export function tableOf(engine: Engine, name: string): Table {
  const table = engine.tables.get(name);
  if (!table) throw new AwsError(400, "ResourceNotFoundException", "Requested resource not found");
  return table;
}

/** Writes all rows or none, even if the process is killed. */
export async function writeRows(engine: Engine, rows: BatchRow[]): Promise<void> {
  if (rows.length > 0) await engine.level.batch(rows);
}

export type TableAccess = {
  action: string;
  table?: string;
  index?: string;
  keys?: Item[];
  hash?: Item;
  enclosing?: string;
};

export type Call = {
  input: Record<string, unknown>;
  /** Throws AccessDeniedException for the first access that is not allowed. */
  authorize(accesses: TableAccess[]): void;
  spend(...parts: Capacity[]): void;
};

export type Change = { table: Table; rowKey: string; old?: Item; next?: Item };

export type CancellationReason = { Code: string; Message?: string; Item?: Item };

export const NONE: CancellationReason = { Code: "None" };

export function cancelled(reasons: CancellationReason[]): AwsError {
  const codes = reasons.map((reason) => reason.Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new AwsError(400, "TransactionCanceledException", message, { CancellationReasons: reasons });
}
