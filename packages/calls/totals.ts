import type { Range } from "@vitaline/contract";
import { keys, type StatsRow, type TenantContext } from "@vitaline/store";
import { dayRow, totalRow, type Counts } from "./counts.ts";

const daysOf: Readonly<Record<Exclude<Range, "all">, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
const dayMs = 86_400_000;

const numbersIn = (row: StatsRow): [string, number][] =>
  Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number");

/**
 * A tenant's totals over a range: every UTC day that the range touches, today included (so "24hours" is yesterday and
 * today). One Query of at most 91 rows, or one Get for "all", however many calls there were.
 */
export async function totalsIn(ctx: TenantContext, range: Range): Promise<Counts> {
  const rows = await rowsOf(ctx, range);
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap(numbersIn)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

const rowsOf = async (ctx: TenantContext, range: Range): Promise<StatsRow[]> => {
  if (range === "all") return [(await ctx.store.get(keys.stats(totalRow))) ?? {}];
  const nowMs = ctx.clock().getTime();
  const dayAt = (ms: number) => dayRow(new Date(ms).toISOString());
  const { rows } = await ctx.store.query<StatsRow>(keys.tenantPartitions.stats(ctx.tenantId), {
    from: dayAt(nowMs - daysOf[range] * dayMs),
    to: dayAt(nowMs),
  });
  return rows;
};
