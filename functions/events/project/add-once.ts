import type { Counts } from "@vitaline/calls";
import { update, type StatsRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import type { StatsWrite } from "./stats-rows.ts";

/** What one stream record adds to a row. `position` has a fixed width, so text compares as numbers do. */
export type Part = { position: string; counts: Counts };

const positionDigits = 40;
export const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(positionDigits, "0");

/** DynamoDB keeps stream records for one day; a mark that was not moved for two has nothing left to keep out. */
const markDays = 2;
const dayMs = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Adds the parts to a row of totals exactly once, however often and however cut they are delivered: one conditional
 * update, which moves the row's watermark of this shard (`w_<lane>`: position and date) past the parts it adds.
 *
 * Why it is exact: (1) A row and its watermark change in one write, so "the position is at or below the mark" and "it is in
 * the sum" are the same statement. (2) A shard delivers in order for the first time, so whatever lies below a batch was
 * handed over before it: moving the mark to the batch's last part skips nothing. (3) The condition is that the mark lies
 * below the first part to be added; where it fails, the mark is read and the parts at or below it are dropped. An
 * invocation that Lambda gave up for dead and that still writes fails the same condition, or makes ours fail.
 * Every part moves the mark, also where the sum is nothing: half of such a batch may come again alone.
 */
export async function addOnce({ store, key, row: name, parts, expiresAt }: StatsWrite, lane: string, now: Date): Promise<void> {
  const mark = `w_${lane}`;
  for (let rest: readonly Part[] = parts; rest.length > 0;) {
    const [first, last] = [rest[0], rest.at(-1)];
    if (!first || !last) return;
    const moved = `${last.position}@${dateOf(now.getTime())}`;
    const row = await store.note<StatsRow>(
      // Its own name, for who lists rows of days.
      update(
        key,
        { add: sumOf(rest), set: { [mark]: moved, ...(expiresAt ? { expiresAt } : {}) }, ...(name ? { setOnce: { row: name } } : {}) },
        { lessThanOrAbsent: { [mark]: first.position } },
      ),
    );
    if (row) return dropOldMarks(store, key, row, now);
    const reached = String((await store.get(key))?.[mark] ?? "").slice(0, positionDigits);
    rest = rest.filter(({ position }) => position > reached);
  }
}

const sumOf = (parts: readonly Part[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [name, value] of parts.flatMap(({ counts }) => Object.entries(counts))) sums[name] = (sums[name] ?? 0) + value;
  return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));
};

/** A shard lives for hours: without this, the row of a tenant's totals would grow by a few marks every day. */
const dropOldMarks = async (store: PlatformStore, key: Key<StatsRow>, row: StatsRow, now: Date): Promise<void> => {
  const oldest = dateOf(now.getTime() - markDays * dayMs);
  const old = Object.entries(row).filter(([name, value]) => name.startsWith("w_") && String(value).slice(positionDigits + 1) < oldest);
  if (old.length > 0) await store.note(update(key, { remove: old.map(([name]) => name) }, { equals: Object.fromEntries(old) }));
};
