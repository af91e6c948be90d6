import { getArchive } from "@vitaline/aws";
import { dayMs, idFloor, inBatches, parseJson } from "@vitaline/core";
import { auditCategories, type AuditRow, keys, pagesOf } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { batchName, readBatch } from "../archive/batch.ts";
import { openChain } from "../archive/chain.ts";
import { monthsBetween } from "../log/read-log.ts";
import { mergeSorted } from "../report/merge-sorted.ts";

/** A log, or its archive. */
export type LogSource = { tenantId: string | undefined; isArchive: boolean };

/** `after`: where to continue. `done`: the part of the source that was read before these rows' end, from 0 to 1. */
export type ScannedPage = { rows: AuditRow[]; after: string; done: number };

const pageRows = 500;
/** The table keeps rows for seven years. */
const tableMs = 7 * 366 * dayMs;

type Range = { fromMs: number; untilMs: number };

/** The rows of a source in the order of time, from the row after `after`; the last page may be empty. Holds one page of each category. */
export const scan = (ctx: PlatformContext, source: LogSource, range: Range, after: string): AsyncGenerator<ScannedPage> =>
  source.isArchive ? scanArchive(source.tenantId, range, after) : scanTable(ctx, source.tenantId, range, after);

async function* scanTable(
  ctx: PlatformContext,
  tenantId: string | undefined,
  { fromMs, untilMs }: Range,
  after: string,
): AsyncGenerator<ScannedPage> {
  const { store, partitionOf } = openChain(ctx, tenantId);
  const beginMs = Math.max(fromMs, ctx.clock().getTime() - tableMs);
  let last = after;
  for (const month of monthsBetween(beginMs, untilMs)) {
    const done = Math.min(1, Math.max(0, (Date.parse(`${month}-01T00:00:00Z`) - beginMs) / (untilMs - beginMs)));
    if (monthEnd(month) <= last) continue;
    // No id is between another one and itself with a zero after it.
    const range = { from: last > idFloor(beginMs) ? `${last}0` : idFloor(beginMs), to: idFloor(untilMs), limit: pageRows };
    const lists = auditCategories.map((category) => pagesOf<AuditRow>(store, partitionOf(month, category), range));
    for await (const rows of mergeSorted(lists, (a, b) => a.id < b.id, pageRows)) {
      last = rows.at(-1)?.id ?? last;
      yield { rows, after: last, done };
    }
    // The month is over, also for an invocation that continues here.
    last = monthEnd(month);
    yield { rows: [], after: last, done };
  }
}

const monthEnd = (month: string): string => idFloor(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1));

const parallelBatches = 16;

/** Batches are in the order in which rows were archived, not of time, so all are read. */
async function* scanArchive(tenantId: string | undefined, { fromMs, untilMs }: Range, after: string): AsyncGenerator<ScannedPage> {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  for (let number = Number(after || 0) + 1; ; number += parallelBatches) {
    const numbers = Array.from({ length: parallelBatches }, (_, at) => number + at);
    const objects = await Promise.all(numbers.map((one) => getArchive(batchName(tenantId, one))));
    const end = objects.indexOf(undefined);
    for (const [at, object] of objects.slice(0, end < 0 ? undefined : end).entries()) {
      const rows = readBatch(object?.lines ?? "").lines.flatMap(({ text, row }) => (row ? [parseJson(text) as AuditRow] : []));
      yield { rows: rows.filter((row) => row.at >= from && row.at < until), after: String(number + at), done: 0 };
    }
    if (end >= 0) return;
  }
}

/** Those of the archive's rows that the table no longer has. */
export async function missingInTable(ctx: PlatformContext, tenantId: string | undefined, rows: readonly AuditRow[]): Promise<AuditRow[]> {
  const { store, rowKey } = openChain(ctx, tenantId);
  const present = await inBatches(rows, (some) => store.batchGet(some.map((row) => rowKey(row.at.slice(0, 7), row.category, row.id))));
  return rows.filter((_, at) => present[at] === undefined);
}

/** Whether the table lacks rows of the range: older than it keeps them, or found missing or altered by the last verification. */
export async function needsArchive(ctx: PlatformContext, tenantId: string | undefined, { fromMs }: Range): Promise<boolean> {
  const { store, key } = openChain(ctx, tenantId);
  const chain = await store.get(key);
  if (!chain) return false;
  const isIncomplete = chain.verifiedRows !== chain.intactRows || (chain.recentFlaws ?? 0) > 0;
  return isIncomplete || fromMs < ctx.clock().getTime() - 7 * 365.25 * dayMs;
}

/** The first row that a tenant can have; of the platform's log, the platform's first year. */
export async function firstMs(ctx: PlatformContext, tenantId: string | undefined): Promise<number> {
  const created = tenantId === undefined ? undefined : (await ctx.platform.inTenant(tenantId).get(keys.tenantConfig()))?.createdAt;
  return created === undefined ? Date.UTC(2025, 0) : Date.parse(created) - dayMs;
}
