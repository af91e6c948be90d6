import type { Range } from "@vitaline/contract";
import { settleAll, dayMs, utcDate } from "@vitaline/core";
import { keys, type StatsRow, type TenantContext } from "@vitaline/store";
import { requireOffice } from "../office.ts";
import { dateFromDaySortKey, daySortKey, officeSortKey, totalSortKey, type Counts } from "./counts.ts";

const rangeDays: Readonly<Record<Exclude<Range, "all">, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };

/**
 * Totals of a tenant or an office over all UTC days that the range touches, including today: "24hours" covers yesterday and today.
 * One Query of at most 91 rows, or one Get for "all". AppError `not_found` for another tenant's office.
 */
export async function readTotals(ctx: TenantContext, range: Range, officeId?: string): Promise<Counts> {
  const [rows] = await settleAll([readRows(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return sumOf(rows);
}

/** Totals by day, oldest first, with empty counts for days without calls. AppError `not_found` for another tenant's office. */
export async function readDailyTotals(
  ctx: TenantContext,
  range: Exclude<Range, "all">,
  officeId?: string,
): Promise<{ date: string; counts: Counts }[]> {
  const [first, last] = dateRange(ctx, range);
  const [rows] = await settleAll([readDays(ctx, first, last, officeId), requireOffice(ctx, officeId)]);
  const byDate = new Map(rows.map((row) => [dateFromDaySortKey(String(row["row"])), row]));
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs);
  return Array.from({ length: days + 1 }, (_, day) => {
    const date = utcDate(Date.parse(first) + day * dayMs);
    return { date, counts: sumOf([byDate.get(date) ?? {}]) };
  });
}

/** How many calls ended that began on the UTC days between these instants. One Query. */
export async function countCalls(ctx: TenantContext, from: string, to: string): Promise<number> {
  const { totalCalls = 0 } = sumOf(await readDays(ctx, from, to));
  return totalCalls;
}

const readRows = async (ctx: TenantContext, range: Range, officeId?: string): Promise<StatsRow[]> =>
  range === "all"
    ? [(await ctx.store.get(keys.stats(rowName(officeId, totalSortKey)))) ?? {}]
    : readDays(ctx, ...dateRange(ctx, range), officeId);

const readDays = async (ctx: TenantContext, first: string, last: string, officeId?: string): Promise<StatsRow[]> => {
  const { rows } = await ctx.store.query<StatsRow>(keys.tenantPartitions.stats(ctx.tenantId), {
    from: rowName(officeId, daySortKey(first)),
    to: rowName(officeId, daySortKey(last)),
  });
  return rows;
};

const rowName = (officeId: string | undefined, row: string): string => (officeId === undefined ? row : officeSortKey(officeId, row));

const dateRange = (ctx: TenantContext, range: Exclude<Range, "all">): [first: string, last: string] => {
  const nowMs = ctx.clock().getTime();
  return [utcDate(nowMs - rangeDays[range] * dayMs), utcDate(nowMs)];
};

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  return sums;
};
