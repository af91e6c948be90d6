import type { Range } from "@vitaline/contract";
import { keys, type StatsRow, type TenantContext } from "@vitaline/store";
import { dateOfDayRow, dayRow, officeRow, totalRow, type Counts } from "./counts.ts";

const daysOf: Readonly<Record<Exclude<Range, "all">, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
const dayMs = 86_400_000;

const numbersIn = (row: StatsRow): [string, number][] =>
  Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number");

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap(numbersIn)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
};

/** A tenant's row of totals, or one office's. */
const rowFor = (officeId: string | undefined, row: string): string => (officeId === undefined ? row : officeRow(officeId, row));

/**
 * Totals of a tenant, or of one office, over a range: every UTC day that the range touches, today included (so "24hours" is
 * yesterday and today). One Query of at most 91 rows, or one Get for "all", however many calls there were.
 */
export async function totalsIn(ctx: TenantContext, range: Range, officeId?: string): Promise<Counts> {
  if (range === "all") return sumOf([(await ctx.store.get(keys.stats(rowFor(officeId, totalRow)))) ?? {}]);
  return sumOf(await daysBetween(ctx, ...datesOf(ctx, range), officeId));
}

/** Day by day, oldest first; a day on which nothing happened is there without numbers. */
export async function dailyTotals(
  ctx: TenantContext,
  range: Exclude<Range, "all">,
  officeId?: string,
): Promise<{ date: string; counts: Counts }[]> {
  const [first, last] = datesOf(ctx, range);
  const found = new Map((await daysBetween(ctx, first, last, officeId)).map((row) => [dateOfDayRow(String(row["row"])), row]));
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs);
  return Array.from({ length: days + 1 }, (_, day) => {
    const date = dateOf(Date.parse(first) + day * dayMs);
    return { date, counts: sumOf([found.get(date) ?? {}]) };
  });
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const datesOf = (ctx: TenantContext, range: Exclude<Range, "all">): [first: string, last: string] => {
  const nowMs = ctx.clock().getTime();
  return [dateOf(nowMs - daysOf[range] * dayMs), dateOf(nowMs)];
};

const daysBetween = async (ctx: TenantContext, first: string, last: string, officeId?: string): Promise<StatsRow[]> => {
  const { rows } = await ctx.store.query<StatsRow>(keys.tenantPartitions.stats(ctx.tenantId), {
    from: rowFor(officeId, dayRow(first)),
    to: rowFor(officeId, dayRow(last)),
  });
  return rows;
};
