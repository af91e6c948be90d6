import { statsRowsFor, type Counts } from "@vitaline/calls";
import { keys } from "@vitaline/store";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import type { StatsWrite } from "./increment-exactly-once.ts";

/** Counts to add to one row of totals: a tenant's, or without a tenant the platform's. */
export type CounterIncrement = { tenantId?: string; row: string; counts: Counts };

/** Additions to every row of a tenant that counts this time and office. */
export const tenantAdditions = (tenantId: string, at: string, officeId: string | undefined, counts: Counts): CounterIncrement[] =>
  statsRowsFor(at, officeId).map((row) => ({ tenantId, row, counts }));

export const negate = (additions: CounterIncrement[]): CounterIncrement[] =>
  additions.map(({ counts, ...where }) => ({
    ...where,
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, -value])),
  }));

/** One write for each row of totals that a batch changes. */
export function statsWrites(
  platform: PlatformStore,
  changes: readonly { position: string; additions: readonly CounterIncrement[] }[],
): StatsWrite[] {
  const writes = new Map<string, StatsWrite>();
  for (const { position, additions } of changes) {
    for (const [name, { tenantId, row, counts }] of sumByRow(additions)) {
      if (Object.values(counts).every((value) => value === 0)) continue;
      const write = writes.get(name) ?? emptyWrite(platform, tenantId, row);
      write.increments.push({ position, counts });
      writes.set(name, write);
    }
  }
  return [...writes.values()];
}

const emptyWrite = (platform: PlatformStore, tenantId: string | undefined, row: string): StatsWrite =>
  tenantId === undefined
    ? { store: platform, key: keys.platformStats(row), row, increments: [] }
    : { store: platform.inTenant(tenantId), key: keys.stats(row), row, increments: [] };

const sumByRow = (additions: readonly CounterIncrement[]): Map<string, CounterIncrement> => {
  const rows = new Map<string, CounterIncrement>();
  for (const addition of additions) {
    const name = `${addition.tenantId ?? ""}|${addition.row}`;
    rows.set(name, { ...addition, counts: plus(rows.get(name)?.counts ?? {}, addition.counts) });
  }
  return rows;
};

const plus = (a: Counts, b: Counts): Counts =>
  Object.fromEntries([...Object.keys(a), ...Object.keys(b)].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
