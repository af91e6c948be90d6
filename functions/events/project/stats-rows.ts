import type { Counts } from "@vitaline/calls";
import { keys, type StatsRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import type { Part } from "./add-once.ts";
import type { Addition, Understood } from "./facts.ts";

/** A row of totals, the handle that may write it, and what a batch adds to it, in order; `row`: its own name, for who lists rows of days. */
export type StatsWrite = { store: PlatformStore; key: Key<StatsRow>; row?: string; parts: Part[]; expiresAt?: number };

/** What each row of totals gets from a batch. A record that adds nothing to a row (a call's summary came) leaves it alone. */
export function statsRows(platform: PlatformStore, understood: readonly Understood[]): StatsWrite[] {
  const writes = new Map<string, StatsWrite>();
  for (const { position, facts } of understood) {
    for (const [name, { tenantId, row, counts }] of byRow(facts.additions)) {
      if (Object.values(counts).every((value) => value === 0)) continue;
      const write = writes.get(name) ?? { ...rowOf(platform, tenantId, row), parts: [] };
      write.parts.push({ position, counts });
      writes.set(name, write);
    }
  }
  return [...writes.values()];
}

const rowOf = (platform: PlatformStore, tenantId: string | undefined, row: string): Omit<StatsWrite, "parts"> =>
  tenantId === undefined
    ? { store: platform, key: keys.platformStats(row), row }
    : { store: platform.inTenant(tenantId), key: keys.stats(row), row };

/** One addition per row: of a changed call, its new counts less its old ones. */
const byRow = (additions: readonly Addition[]): Map<string, Addition> => {
  const rows = new Map<string, Addition>();
  for (const addition of additions) {
    const name = `${addition.tenantId ?? ""}|${addition.row}`;
    rows.set(name, { ...addition, counts: plus(rows.get(name)?.counts ?? {}, addition.counts) });
  }
  return rows;
};

const plus = (a: Counts, b: Counts): Counts =>
  Object.fromEntries([...Object.keys(a), ...Object.keys(b)].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
