import { awaitAllThenThrow, dayMs } from "@vitaline/core";
import { type AuditRow, keys, pagesOf } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { canonicalJson } from "./chain.ts";
import { feedKey, feedPartitions, feedRow, feedSeconds } from "../feed/feed.ts";
import { monthsBetween } from "../log/read-log.ts";
import type { Flaw } from "./verify-batches.ts";

const rowsPerRead = 50;
const monthMs = 31 * dayMs;

export const isInFeed = ({ at }: AuditRow, nowMs: number): boolean => Date.parse(at) + feedSeconds * 1000 > nowMs;

/** Audit rows that are missing from the feed or differ there. One BatchGet per 50 rows. */
export async function findFeedFlaws({ platform }: PlatformContext, rows: readonly AuditRow[]): Promise<Flaw[]> {
  const flaws: Flaw[] = [];
  for (let from = 0; from < rows.length; from += rowsPerRead) {
    const chunk = rows.slice(from, from + rowsPerRead);
    const shown = await platform.batchGet(chunk.map(feedKey));
    for (const [at, row] of chunk.entries()) {
      const inFeed = shown[at];
      if (!inFeed) flaws.push({ kind: "missing", where: "feed", rowId: row.id });
      else if (canonicalJson(inFeed) !== canonicalJson(feedRow(row))) flaws.push({ kind: "altered", where: "feed", rowId: row.id });
    }
  }
  return flaws;
}

export type FeedVerification = { rows: number; intactRows: number; flaws: Flaw[] };

/**
 * Reads the whole feed and lists rows that no log has or that are in the wrong partition. verifyTenant finds rows that are missing
 * from the feed or differ in it.
 */
export async function verifyFeed(ctx: PlatformContext): Promise<FeedVerification> {
  const nowMs = ctx.clock().getTime();
  const result: FeedVerification = { rows: 0, intactRows: 0, flaws: [] };
  for (const month of monthsBetween(nowMs - feedSeconds * 1000 - monthMs, nowMs + monthMs))
    for (const partition of feedPartitions(month))
      for await (const page of pagesOf<AuditRow>(ctx.platform, partition)) {
        const origins = await originsOf(ctx, page);
        for (const [at, { id }] of page.entries()) {
          const origin = origins[at];
          const isInPlace = origin !== undefined && feedKey(origin).primaryKey.pk === partition;
          result.rows += 1;
          if (isInPlace) result.intactRows += 1;
          else result.flaws.push({ kind: origin ? "misplaced" : "unknown", where: "feed", rowId: id });
        }
      }
  return result;
}

const originsOf = async ({ platform }: PlatformContext, page: readonly AuditRow[]): Promise<(AuditRow | undefined)[]> => {
  const origins = new Map<string, AuditRow>();
  const byTenant = Map.groupBy(page, ({ tenantId }) => tenantId);
  await awaitAllThenThrow(
    [...byTenant].map(async ([tenantId, rows]) => {
      const log = tenantId === undefined ? platform : platform.inTenant(tenantId);
      for (let from = 0; from < rows.length; from += rowsPerRead) {
        const found = await log.batchGet(
          rows
            .slice(from, from + rowsPerRead)
            .map(({ at, category, id }) =>
              tenantId === undefined ? keys.platformAudit(at.slice(0, 7), category, id) : keys.audit(at.slice(0, 7), category, id),
            ),
        );
        for (const row of found) if (row) origins.set(`${row.tenantId} ${row.id}`, row);
      }
    }),
  );
  return page.map(({ tenantId, id }) => origins.get(`${tenantId} ${id}`));
};
