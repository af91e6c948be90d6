import type { Counts } from "@vitaline/calls";
import { dayMs, utcDate } from "@vitaline/core";
import { update, type StatsRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import { positionDigits } from "../../../lib/dynamodb-stream/stream-event.ts";

/** The counts of one stream record. Positions have a fixed width and compare as text. */
type Increment = { position: string; counts: Counts };

/** The increments of a batch for one row of totals, in stream order. `row` is the row's name, stored for queries over rows of days. */
export type StatsWrite = { store: PlatformStore; key: Key<StatsRow>; row?: string; increments: Increment[]; expiresAt?: number };

/** DynamoDB keeps stream records for one day, so a watermark older than two protects nothing. */
const watermarkDays = 2;

/**
 * Adds the increments to a row of totals exactly once, even when batches are redelivered whole or in part: one conditional
 * update that also moves the row's watermark for this shard (`w_<shardHash>`: position and date).
 *
 * Why it is exact: (1) The row and its watermark change in one write, so a position at or below the watermark is in the
 * sum. (2) A shard delivers in order the first time, so moving the watermark to the last increment skips nothing.
 * (3) The condition requires the watermark to be below the first increment; if it fails, the watermark is read and
 * increments at or below it are dropped. A timed-out invocation that still writes fails the same condition, or makes
 * this one fail. The watermark moves even when the sum is zero, because part of the batch may be redelivered alone.
 */
export async function incrementExactlyOnce(write: StatsWrite, shard: string, now: Date): Promise<void> {
  const { store, key, row: name, increments, expiresAt } = write;
  const watermark = `w_${shard}`;
  for (let rest: readonly Increment[] = increments; rest.length > 0;) {
    const [first, last] = [rest[0], rest.at(-1)];
    if (!first || !last) return;
    const moved = `${last.position}@${utcDate(now.getTime())}`;
    const row = await store.writeUnaudited<StatsRow>(
      update(
        key,
        { add: sumOf(rest), set: { [watermark]: moved, ...(expiresAt ? { expiresAt } : {}) }, ...(name ? { setOnce: { row: name } } : {}) },
        { lessThanOrAbsent: { [watermark]: first.position } },
      ),
    );
    if (row) return dropOldWatermarks(store, key, row, now);
    const reached = String((await store.get(key))?.[watermark] ?? "").slice(0, positionDigits);
    rest = rest.filter(({ position }) => position > reached);
  }
}

const sumOf = (increments: readonly Increment[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [name, value] of increments.flatMap(({ counts }) => Object.entries(counts))) sums[name] = (sums[name] ?? 0) + value;
  return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));
};

/** Shards live for hours, so rows would otherwise grow by a few watermarks each day. */
const dropOldWatermarks = async (store: PlatformStore, key: Key<StatsRow>, row: StatsRow, now: Date): Promise<void> => {
  const oldest = utcDate(now.getTime() - watermarkDays * dayMs);
  const old = Object.entries(row).filter(([name, value]) => name.startsWith("w_") && String(value).slice(positionDigits + 1) < oldest);
  if (old.length > 0) await store.writeUnaudited(update(key, { remove: old.map(([name]) => name) }, { equals: Object.fromEntries(old) }));
};
