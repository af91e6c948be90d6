import { awaitAllThenThrow, AppError, idFloor } from "@vitaline/core";
import { openCursor, sealCursor, type AuditRow, type Page } from "@vitaline/store";
import * as z from "zod/mini";

type Query = <Row>(partition: string, range: { from: string; to?: string; descending: true; limit: number }) => Promise<Page<Row>>;

/** A log in monthly partitions. Its cursors are bound to `name`. */
export type Log = { name: string; query: Query; partitionsOf(month: string): readonly string[] };

/** A page that `keep` filters may be short and still have a next one. `beforeKeep` receives all rows read, before they are filtered. */
export type LogQuery = {
  from: Date;
  until: Date;
  limit: number;
  cursor?: string;
  keep?: (row: AuditRow) => boolean;
  beforeKeep?: (rows: readonly AuditRow[]) => Promise<void>;
};

/** Rows that a filter examines in each partition for one page. */
const filteredRows = 200;
/** Months that one page reaches back at most; the presets need four. */
const maxMonths = 12;

const Position = z.object({ month: z.string().check(z.regex(/^\d{4}-\d\d$/)), to: z.optional(z.string()) });
type Position = z.infer<typeof Position>;

/**
 * A page of a log, newest first. All partitions of a month are queried in parallel: one round trip, plus one for each further month
 * that the page reaches back, twelve at most. Ids sort by time across partitions, so one id is the whole position. AppError `invalid_request` for a
 * cursor of another log.
 */
export async function readLog(log: Log, { from, until, limit, cursor, keep, beforeKeep }: LogQuery): Promise<Page<AuditRow>> {
  const oldest = monthOf(from);
  const rows: AuditRow[] = [];
  let position = cursor === undefined ? newestPosition(until) : parseCursor(log, cursor);
  const newest = idFloor(until.getTime() + 1);
  for (let months = 1; ; months++) {
    const { month, to = newest } = position;
    // A cursor from another range may point before or after this one.
    if (to < idFloor(from.getTime())) return { rows };
    const missing = limit - rows.length;
    const range = {
      from: idFloor(from.getTime()),
      to: to < newest ? to : newest,
      descending: true,
      limit: keep ? filteredRows : missing + 1,
    } as const;
    const pages = await awaitAllThenThrow(log.partitionsOf(month).map((partition) => log.query<AuditRow>(partition, range)));
    if (beforeKeep) await beforeKeep(pages.flatMap(({ rows: read }) => read));
    const merged = mergePage(
      pages.map(({ rows: read, next }) => ({ rows: read, more: next !== undefined })),
      missing,
      keep,
    );
    rows.push(...merged.rows);
    if (merged.next !== undefined) return { rows, next: sealCursor(log.name, { month, to: merged.next }) };
    if (month <= oldest) return { rows };
    position = { month: monthBefore(month) };
    if (rows.length >= limit || months === maxMonths) return { rows, next: sealCursor(log.name, position) };
  }
}

const newestPosition = (until: Date): Position => ({ month: monthOf(until) });

const parseCursor = ({ name }: Log, cursor: string): Position => {
  const { success, data } = z.safeParse(Position, openCursor(name, cursor));
  if (!success) throw new AppError("invalid_request", "This page link is not valid here. Please start from the first page.");
  return data;
};

/** Rows of one partition, newest first; `more` if older rows follow. */
type Part<Row> = { rows: readonly Row[]; more: boolean };

/**
 * Merges the newest rows of several partitions, newest first, and filters them by `keep`. `next` is the id of the first row of the
 * next page. Each part must contain at least two rows, or all that the partition has.
 */
export function mergePage<Row extends { id: string }>(
  parts: readonly Part<Row>[],
  limit: number,
  keep: (row: Row) => boolean = () => true,
): { rows: Row[]; next?: string } {
  // Below the oldest row of an unfinished part, unread rows of that partition may belong in between.
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

const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7);
const monthBefore = (month: string): string => monthOf(new Date(Date.parse(`${month}-01T00:00:00Z`) - 1));

/** UTC months (`yyyy-mm`) between two instants, the second excluded. */
export const monthsBetween = (fromMs: number, untilMs: number): string[] => {
  const months: string[] = [];
  const from = new Date(fromMs);
  for (let i = 0; ; i++) {
    const month = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + i);
    if (month >= untilMs) return months;
    months.push(new Date(month).toISOString().slice(0, 7));
  }
};
