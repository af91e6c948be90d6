import type { Days, Range } from "@vitaline/contract";
import { dayIn, dayMs, awaitAllThenThrow, utcDate } from "@vitaline/core";
import { allRows, keys, tenantTimeZone, type StatsRow, type TenantContext } from "@vitaline/store";
import { requireOffice } from "../office.ts";
import { dateFromDaySortKey, daySortKey, officeSortKey, totalSortKey, type Counts } from "./counts.ts";

/** A named range up to today, or given days. */
export type Period = Range | Days;

/** "24hours" covers today and yesterday; the others so many days, with today as the last. */
const daysBefore: Readonly<Record<Exclude<Range, "all">, number>> = { "24hours": 1, "7days": 6, "30days": 29, "90days": 89 };

/** The first and last day of a period, in the tenant's time zone. */
export async function daysOf(ctx: TenantContext, period: Exclude<Period, "all">): Promise<Days> {
  if (typeof period !== "string") return period;
  const to = dayIn(await tenantTimeZone(ctx), ctx.clock());
  return { from: addDays(to, -daysBefore[period]), to };
}

const addDays = (date: string, days: number): string => utcDate(Date.parse(date) + days * dayMs);

/** The number of days, both ends included. */
const lengthOf = ({ from, to }: Days): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The days before of the same number; before a whole month the month before. */
export function daysBeforeThese({ from, to }: Days): Days {
  const last = addDays(from, -1);
  const isWholeMonth = from.endsWith("-01") && addDays(to, 1).endsWith("-01") && from.slice(0, 7) === to.slice(0, 7);
  return { from: isWholeMonth ? `${last.slice(0, 7)}-01` : addDays(from, -lengthOf({ from, to })), to: last };
}

/** Totals of a tenant or an office over a period. A Query of a row a day, a page a megabyte, or one Get for "all". AppError `not_found` for another tenant's office. */
export async function readTotals(ctx: TenantContext, period: Period, officeId?: string): Promise<Counts> {
  const [rows] = await awaitAllThenThrow([readRows(ctx, period, officeId), requireOffice(ctx, officeId)]);
  return sumOf(rows);
}

/** Totals of days and of those before them. One Query. AppError `not_found` for another tenant's office. */
export async function readBothTotals(
  ctx: TenantContext,
  days: Days,
  before: Days,
  officeId?: string,
): Promise<[now: Counts, then: Counts]> {
  const [rows] = await awaitAllThenThrow([readDays(ctx, { from: before.from, to: days.to }, officeId), requireOffice(ctx, officeId)]);
  const isThen = (row: StatsRow): boolean => dateOf(row) <= before.to;
  return [sumOf(rows.filter((row) => !isThen(row))), sumOf(rows.filter(isThen))];
}

/** Totals by day, oldest first, with empty counts for days without calls. AppError `not_found` for another tenant's office. */
export async function readDailyTotals(
  ctx: TenantContext,
  period: Exclude<Period, "all">,
  officeId?: string,
): Promise<{ date: string; counts: Counts }[]> {
  const days = await daysOf(ctx, period);
  const [rows] = await awaitAllThenThrow([readDays(ctx, days, officeId), requireOffice(ctx, officeId)]);
  const byDate = new Map(rows.map((row) => [dateOf(row), row]));
  return Array.from({ length: lengthOf(days) }, (_, day) => {
    const date = addDays(days.from, day);
    return { date, counts: sumOf([byDate.get(date) ?? {}]) };
  });
}

const dateOf = (row: StatsRow): string => dateFromDaySortKey(String(row["row"]));

/** How many calls ended that began on the tenant's days between these instants. One Query. */
export async function countCalls(ctx: TenantContext, from: string, to: string): Promise<number> {
  const zone = await tenantTimeZone(ctx);
  const { totalCalls = 0 } = await readTotals(ctx, { from: dayIn(zone, new Date(from)), to: dayIn(zone, new Date(to)) });
  return totalCalls;
}

const readRows = async (ctx: TenantContext, period: Period, officeId?: string): Promise<StatsRow[]> =>
  period === "all"
    ? [(await ctx.store.get(keys.stats(rowName(officeId, totalSortKey)))) ?? {}]
    : readDays(ctx, await daysOf(ctx, period), officeId);

const readDays = (ctx: TenantContext, { from, to }: Days, officeId?: string): Promise<StatsRow[]> =>
  allRows<StatsRow>(ctx.store, keys.tenantPartitions.stats(ctx.tenantId), {
    from: rowName(officeId, daySortKey(from)),
    to: rowName(officeId, daySortKey(to)),
  });

const rowName = (officeId: string | undefined, row: string): string => (officeId === undefined ? row : officeSortKey(officeId, row));

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  return sums;
};
