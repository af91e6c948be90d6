/** One partition of a log, read newest first; `more` when older rows follow. */
export type Part<Row> = { rows: readonly Row[]; more: boolean };

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
