import { createHash } from "node:crypto";
import { AwsError } from "../../http/respond.ts";
import type { Item } from "../../types.ts";
import { type Capacity, describeCapacity, itemSize, mergeCapacity, readUnits, writeCapacity } from "../engine/capacity.ts";
import {
  type Call,
  type CancellationReason,
  cancelled,
  type Change,
  type Engine,
  NONE,
  prefix,
  tableOf,
  writeRows,
} from "../engine/engine.ts";
import { commitChanges, planWrite, prepareWrite, type Verb, type Write } from "./write.ts";
import { type BatchRow, invalid, parse } from "../engine/dynalite.ts";

const VALID_MS = 10 * 60 * 1000;

type TokenRecord = { actionsHash: string; expiresAt: number; replay: Capacity[] };
type Remember = (imageBytes: number[], spent: Capacity[]) => BatchRow[];

/**
 * Runs a transaction once per ClientRequestToken within 10 minutes. `run` commits the token's rows with its own. A repetition changes
 * nothing and costs reads; a different request under the same token throws.
 */
async function answerOnce(
  engine: Engine,
  { token, actions }: { token?: string; actions: unknown },
  run: (remember: Remember) => Promise<Capacity[]>,
): Promise<Capacity[]> {
  if (!token) return run(() => []);
  const key = `token~${token}`;
  const actionsHash = createHash("sha256").update(JSON.stringify(actions)).digest("base64");
  if (engine.tokensInFlight.has(key)) {
    throw new AwsError(400, "TransactionInProgressException", "The transaction with the given request token is already in progress.");
  }
  engine.tokensInFlight.add(key);
  try {
    const known = engine.level.getSync(key) as TokenRecord | undefined;
    if (known && known.expiresAt > Date.now()) return replay(known, actionsHash);
    return await run((imageBytes, spent) => {
      const value: TokenRecord = { actionsHash, expiresAt: Date.now() + VALID_MS, replay: replayCapacity(imageBytes, spent) };
      return [{ type: "put", key, value }];
    });
  } finally {
    engine.tokensInFlight.delete(key);
  }
}

function replay(known: TokenRecord, actionsHash: string): Capacity[] {
  if (known.actionsHash === actionsHash) return known.replay;
  throw new AwsError(
    400,
    "IdempotentParameterMismatchException",
    "Your request rejected because the request token was used with different parameters.",
  );
}

/** AWS charges a repetition as transactional reads; all are counted on the first table. */
function replayCapacity(imageBytes: number[], [first]: Capacity[]): Capacity[] {
  const units = imageBytes.reduce((total, bytes) => total + readUnits(bytes, "transactional"), 0);
  return [{ table: first!.table, kind: "read", tableUnits: units, indexUnits: {} }];
}

export async function removeExpiredTokens(engine: Engine, nowMs: number): Promise<void> {
  const rows: BatchRow[] = [];
  for await (const [key, record] of engine.level.iterator(prefix("token~"))) {
    if ((record as TokenRecord).expiresAt <= nowMs) rows.push({ type: "del", key });
  }
  await writeRows(engine, rows);
}

const MAX_ACTIONS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const VALIDATES_AS = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem", ConditionCheck: "DeleteItem" } as const;
const ACTIONS = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem", ConditionCheck: "ConditionCheckItem" } as const;

export async function transactWriteItems(engine: Engine, call: Call): Promise<object> {
  const entries = readActions(call.input);
  const parsed = entries.map(({ verb, input }) => ({ verb, input, data: parse(engine.store, VALIDATES_AS[verb], input) }));
  call.authorize(
    parsed.map(({ verb, data }) => ({
      action: ACTIONS[verb],
      table: data.TableName,
      keys: [data.Item ?? data.Key!],
      enclosing: "TransactWriteItems",
    })),
  );
  const writes = prepareAll(engine, parsed);
  if (new Set(writes.map((write) => write.rowKey)).size < writes.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
  const { ClientRequestToken: token, ReturnConsumedCapacity: detail } = call.input as Record<string, string | undefined>;
  const spent = await answerOnce(engine, { token, actions: call.input["TransactItems"] }, (tokenRow) =>
    inFlight(engine, writes, () => apply(engine, writes, call, tokenRow)),
  );
  call.spend(...spent);
  return {
    ConsumedCapacity: detail && detail !== "NONE" ? spent.map((part) => describeCapacity(part, detail, true)) : undefined,
  };
}

type Action = { verb: Verb; input: Record<string, unknown> };

function readActions(input: Record<string, unknown>): Action[] {
  const items = input["TransactItems"];
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ACTIONS) {
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length between 1 and ${MAX_ACTIONS}`,
    );
  }
  return items.map((item: Record<string, Record<string, unknown>>) => {
    const verbs = (Object.keys(VALIDATES_AS) as Verb[]).filter((verb) => item[verb]);
    if (verbs.length !== 1) throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
    const verb = verbs[0]!;
    const action = item[verb]!;
    const required = { Update: "UpdateExpression", ConditionCheck: "ConditionExpression", Put: "Item", Delete: "Key" }[verb];
    if (!action[required]) throw invalid(`The ${required} must be provided for ${verb} in TransactItems`);
    return { verb, input: action };
  });
}

function prepareAll(engine: Engine, entries: (Action & { data: ReturnType<typeof parse> })[]): Write[] {
  return collect(entries, ({ verb, input, data }) => prepareWrite(verb, tableOf(engine, data.TableName), data, input));
}

/** Marks the items as in flight while the transaction runs; a second transaction on one of them is cancelled. */
async function inFlight<T>(engine: Engine, writes: Write[], work: () => Promise<T>): Promise<T> {
  const conflict = writes.map((write) => engine.inFlight.has(write.rowKey));
  if (conflict.includes(true)) throw cancelled(conflict.map(conflictReason));
  for (const write of writes) engine.inFlight.add(write.rowKey);
  try {
    await engine.holdTransaction();
    return await engine.exclusively(work);
  } finally {
    for (const write of writes) engine.inFlight.delete(write.rowKey);
  }
}

export function conflictReason(conflicts: boolean): CancellationReason {
  return conflicts ? { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" } : NONE;
}

async function apply(
  engine: Engine,
  writes: Write[],
  call: Call,
  tokenRow: (images: number[], spent: Capacity[]) => Parameters<Engine["level"]["batch"]>[0],
): Promise<Capacity[]> {
  const images = writes.map((write) => engine.level.getSync(write.rowKey)) as (Item | undefined)[];
  const changes = planAll(writes, images, call);
  const sizes = changes.map(({ old, next }) => Math.max(itemSize(old), itemSize(next)));
  if (sizes.reduce((total, size) => total + size, 0) > MAX_BYTES) {
    throw invalid("The total size of all items in the transaction exceeds 4 MB");
  }
  const spent = mergeCapacity(changes.map((change) => writeCapacity(change, true)));
  await commitChanges(engine, changes, { extra: tokenRow(sizes, spent) });
  return spent;
}

function planAll(writes: Write[], images: (Item | undefined)[], call: Call): Change[] {
  try {
    return collect(writes, (write, position) => planWrite(write, images[position]));
  } catch (error) {
    // A cancelled transaction still pays for the items that it read
    call.spend(...mergeCapacity(writes.map(({ table }, position) => unchangedItemCapacity(table, images[position]))));
    throw error;
  }
}

function unchangedItemCapacity(table: Write["table"], old: Item | undefined): Capacity {
  return { ...writeCapacity({ table, old, next: old }, true), indexUnits: {} };
}

/** Maps all entries, then throws one cancellation with a reason per position. */
function collect<In, Out>(list: In[], map: (entry: In, position: number) => Out): Out[] {
  const results: Out[] = [];
  const reasons = list.map((entry, position) => {
    try {
      results.push(map(entry, position));
      return NONE;
    } catch (error) {
      return reasonOf(error);
    }
  });
  if (results.length < list.length) throw cancelled(reasons);
  return results;
}

function reasonOf(error: unknown): CancellationReason {
  if (!(error instanceof AwsError)) throw error;
  if (error.code === "ConditionalCheckFailedException") {
    return { Code: "ConditionalCheckFailed", Message: error.message, ...error.fields };
  }
  if (error.code === "ValidationException") return { Code: "ValidationError", Message: error.message };
  throw error;
}
