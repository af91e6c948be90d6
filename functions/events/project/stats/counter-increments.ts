import { statsRowsFor, type Counts } from "@vitaline/calls";
import { keys } from "@vitaline/store";
import type { Increment } from "./increment-exactly-once.ts";

/** Counts to add to one row of totals: a tenant's, or without a tenant the platform's. */
export type CounterIncrement = { tenantId?: string; row: string; counts: Counts };

/** Additions to every row of a tenant that counts this time and office. */
export const tenantIncrements = (tenantId: string, at: string, officeId: string | undefined, counts: Counts): CounterIncrement[] =>
  statsRowsFor(at, officeId).map((row) => ({ tenantId, row, counts }));

export const negate = (increments: CounterIncrement[]): CounterIncrement[] =>
  increments.map(({ counts, ...where }) => ({
    ...where,
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, -value])),
  }));

export const incrementOf = ({ tenantId, row, counts }: CounterIncrement): Increment =>
  tenantId === undefined ? { key: keys.platformStats(row), name: row, counts } : { tenantId, key: keys.stats(row), name: row, counts };
