import { dayMs } from "@vitaline/core";
import { type CountedPositionRow, keys, type StatsRow, update } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { OwnedWrite, PlatformContext } from "@vitaline/store/platform.ts";

/** An addition to one row of sums. `name`: stored for queries over rows of days. Without a tenant the row is the platform's. */
export type Increment = { tenantId?: string; key: Key<StatsRow>; name?: string; counts: Record<string, number>; expiresAt?: number };

/** What one stream record adds. Positions have a fixed width and compare as text. */
export type CountedRecord = {
  position: string;
  increments: readonly Increment[];
  /** Of a record that cannot be read: the writes that keep it. */
  kept?: readonly OwnedWrite[];
};

/** DynamoDB's limit is 100 items; one is the position. */
const maxRows = 99;

/** DynamoDB keeps stream records for one day, so a position that has not moved for two protects nothing. */
const positionDays = 2;

/**
 * Adds what the records of a shard count to rows of sums, exactly once, even when batches are redelivered whole or in part.
 *
 * Why it is exact: (1) The sums and the shard's position move in one transaction, so a record is counted if and only if it is at
 * or below the position. (2) A shard delivers in order the first time, so moving the position to the last record skips nothing.
 * (3) The condition requires the position to be below the first record; if it fails, the position is read and records at or below
 * it are dropped. A timed-out invocation that still writes fails the same condition, or makes this one fail. The position moves
 * even when the sums cancel out, because part of the batch may be redelivered alone. A record that cannot be read is kept in the same way,
 * so that it is either kept or counted, and once.
 *
 * Its cost does not depend on the number of shards that have ever counted into a row: two write units a row and two for the position.
 * The platform's sums are in parts: each shard adds to one part.
 */
export async function incrementExactlyOnce(ctx: PlatformContext, shard: string, records: readonly CountedRecord[]): Promise<void> {
  const key = keys.countedPosition(shard);
  let rest = records.map(summed).filter(({ increments, kept }) => increments.length > 0 || kept !== undefined);
  while (rest.length > 0) {
    const { counted, rows } = firstRows(rest);
    const position = counted.at(-1)!.position;
    const expiresAt = Math.floor((ctx.clock().getTime() + positionDays * dayMs) / 1000);
    const moved = update<CountedPositionRow>(
      key,
      { set: { position, expiresAt } },
      { lessThanOrAbsent: { position: counted[0]!.position } },
    );
    const part = partOf(shard);
    const isCounted = await ctx.platform.writeAllUnaudited([
      { write: moved },
      ...counted.flatMap(({ kept = [] }) => kept),
      ...rows.filter(isChange).map((row) => additionTo(row, part)),
    ]);
    const reached = isCounted ? position : ((await ctx.platform.get(key))?.position ?? "");
    rest = rest.filter((record) => record.position > reached);
  }
}

/**
 * Adds what one record counts in the transaction that makes `guard`, which holds once only: exactly once, after any time. False if the
 * guard failed.
 */
export const incrementWith = (ctx: PlatformContext, guard: OwnedWrite, shard: string, record: CountedRecord): Promise<boolean> =>
  ctx.platform.writeAllUnaudited([guard, ...summed(record).increments.map((row) => additionTo(row, partOf(shard)))]);

/** A record's sums by row, without rows that it leaves as they are. */
const summed = ({ increments, ...record }: CountedRecord): CountedRecord => {
  const rows = new Map<string, Increment>();
  for (const increment of increments) rows.set(nameOf(increment), plus(rows.get(nameOf(increment)), increment));
  return { ...record, increments: [...rows.values()].filter(isChange) };
};

/** The first records, as many as fit into one transaction, with their sums by row. */
function firstRows(records: readonly CountedRecord[]): { counted: CountedRecord[]; rows: Increment[] } {
  const rows = new Map<string, Increment>();
  const counted: CountedRecord[] = [];
  for (const record of records) {
    const added = record.increments.map((increment) => [nameOf(increment), increment] as const);
    const isFull = new Set([...rows.keys(), ...added.map(([name]) => name)]).size > maxRows;
    // A kept record is large: it has a transaction of its own.
    if ((isFull || record.kept || counted.at(-1)?.kept) && counted.length > 0) break;
    for (const [name, increment] of added) rows.set(name, plus(rows.get(name), increment));
    counted.push(record);
  }
  return { counted, rows: [...rows.values()] };
}

const nameOf = ({ tenantId = "", key }: Increment): string => {
  const { pk, sk } = key.scope === "tenant" ? key.primaryKeyIn(tenantId) : key.primaryKey;
  return `${pk}|${sk}`;
};

const plus = (sum: Increment | undefined, { counts, ...row }: Increment): Increment => {
  const sums = { ...sum?.counts };
  for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value;
  return { ...row, counts: sums };
};

const isChange = ({ counts }: Increment): boolean => Object.values(counts).some((value) => value !== 0);

const partOf = (shard: string): string => {
  const { platformStatsParts } = keys;
  return platformStatsParts[Number.parseInt(shard.slice(-4), 16) % platformStatsParts.length] ?? platformStatsParts[0];
};

const additionTo = ({ tenantId, key: whole, name, counts, expiresAt }: Increment, part: string) => {
  const key = tenantId === undefined && name !== undefined ? keys.platformStatsPart(part, name) : whole;
  const add = Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0));
  const set = expiresAt === undefined ? {} : { set: { expiresAt } };
  const setOnce = name === undefined ? {} : { setOnce: { row: name } };
  return { ...(tenantId === undefined ? {} : { tenantId }), write: update(key, { add, ...set, ...setOnce }) };
};
