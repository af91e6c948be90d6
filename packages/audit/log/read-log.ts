import { allDone, AppError, idFloor } from "@vitaline/core";
import { type AuditRow, openCursor, type Page, sealCursor } from "@vitaline/store";
import * as z from "zod/mini";

type Query = <Row>(partition: string, range: { from: string; to?: string; descending: true; limit: number }) => Promise<Page<Row>>;

/** A log that lies in partitions of a month each. `name` is what its cursors are bound to. */
export type Log = { name: string; query: Query; partitionsOf(month: string): readonly string[] };

/**
 * `from` is the oldest instant that is wanted, `until` the newest. `keep` filters what was read: a page may then be short and
 * still have a next one. `learn` is told what was read before `keep` judges it.
 */
export type Wanted = {
  from: Date;
  until: Date;
  limit: number;
  cursor?: string;
  keep?: (row: AuditRow) => boolean;
  learn?: (rows: readonly AuditRow[]) => Promise<void>;
};

/** How many rows of each partition a filter looks at for one page. */
const filteredRows = 200;

const Position = z.object({ month: z.string().check(z.regex(/^\d{4}-\d\d$/)), to: z.optional(z.string()) });
type Position = z.infer<typeof Position>;

const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7);
const monthBefore = (month: string): string => monthOf(new Date(Date.parse(`${month}-01T00:00:00Z`) - 1));

const positionIn = ({ name }: Log, cursor: string): Position => {
  const { success, data } = z.safeParse(Position, openCursor(name, cursor));
  if (!success) throw new AppError("invalid_request", "This page link is not valid here. Please start from the first page.");
  return data;
};

const newest = (until: Date): Position => ({ month: monthOf(until), to: idFloor(until.getTime() + 1) });

/**
 * A page of a log, newest first: one Query for each of a month's partitions, all at once, so one round trip; one more for
 * each month that the page reaches back over. Ids sort by time through all partitions, so one of them is the whole position.
 */
export async function readLog(log: Log, { from, until, limit, cursor, keep, learn }: Wanted): Promise<Page<AuditRow>> {
  const oldest = monthOf(from);
  const rows: AuditRow[] = [];
  let position = cursor === undefined ? newest(until) : positionIn(log, cursor);
  for (;;) {
    const { month, to } = position;
    // A page link of a longer range: everything from there on is too old.
    if (to !== undefined && to < idFloor(from.getTime())) return { rows };
    const missing = limit - rows.length;
    const range = { from: idFloor(from.getTime()), to, descending: true, limit: keep ? filteredRows : missing + 1 } as const;
    const pages = await allDone(log.partitionsOf(month).map((partition) => log.query<AuditRow>(partition, range)));
    if (learn) await learn(pages.flatMap(({ rows: read }) => read));
    const merged = mergePage(
      pages.map(({ rows: read, next }) => ({ rows: read, more: next !== undefined })),
      missing,
      keep,
    );
    rows.push(...merged.rows);
    if (merged.next !== undefined) return { rows, next: sealCursor(log.name, { month, to: merged.next }) };
    if (month <= oldest) return { rows };
    position = { month: monthBefore(month) };
    if (rows.length >= limit) return { rows, next: sealCursor(log.name, position) };
  }
}

/** One partition of a log, read newest first; `more` when older rows follow. */
type Part<Row> = { rows: readonly Row[]; more: boolean };

/**
 * The newest rows of several partitions together, newest first, of those that `keep` takes. `next` is the id from which the
 * next page goes on, itself included; none when nothing is left. Each part must hold at least two rows or all it has.
 */
export function mergePage<Row extends { id: string }>(
  parts: readonly Part<Row>[],
  limit: number,
  keep: (row: Row) => boolean = () => true,
): { rows: Row[]; next?: string } {
  // Below the oldest row of a part that goes on, rows that were not read may belong in between.
  const floor = parts
    .flatMap(({ rows, more }) => (more ? (rows.at(-1)?.id ?? []) : []))
    .toSorted()
    .at(-1);
  const kept = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => (floor === undefined || row.id > floor) && keep(row))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { rows: kept.slice(0, limit), next: kept[limit]?.id ?? floor };
}

/** The months, as the audit's partitions name them, that lie between two instants; the second is not included. */
export const monthsBetween = (fromMs: number, untilMs: number): string[] => {
  const months: string[] = [];
  const from = new Date(fromMs);
  for (let i = 0; ; i++) {
    const month = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + i);
    if (month >= untilMs) return months;
    months.push(new Date(month).toISOString().slice(0, 7));
  }
};
