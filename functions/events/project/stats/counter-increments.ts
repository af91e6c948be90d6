import { statsSortKeysFor, type Counts } from "@vitaline/calls";
import { keys } from "@vitaline/store";
import type { Increment } from "./increment-exactly-once.ts";

/** A tenant whose days are counted in its own time zone. */
export type CountedTenant = { tenantId: string; timeZone: string };

/** Counts to add to one row of the platform's totals. */
export const platformIncrement = (row: string, counts: Counts): Increment => ({ key: keys.platformStats(row), name: row, counts });

/** Counts to add to one row of a tenant's totals. */
export const tenantIncrement = (tenantId: string, row: string, counts: Counts): Increment => ({
  tenantId,
  key: keys.stats(row),
  name: row,
  counts,
});

/** Counts to add to every row of a tenant that counts this day and office. */
export const tenantIncrements = (tenantId: string, day: string, officeId: string | undefined, counts: Counts): Increment[] =>
  statsSortKeysFor(day, officeId).map((row) => tenantIncrement(tenantId, row, counts));

export const negate = (increments: Increment[]): Increment[] =>
  increments.map(({ counts, ...where }) => ({
    ...where,
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, -value])),
  }));
