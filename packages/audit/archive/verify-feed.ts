import { allDone } from "@vitaline/core";
import { type AuditRow, keys, pagesOf } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { canonical } from "./chain.ts";
import { feedKey, feedPartitions, feedRow, feedSeconds } from "../feed/feed.ts";
import { monthsBetween } from "../log/read-log.ts";
import type { Flaw } from "./verify-batches.ts";

const atOnce = 50;
const monthMs = 31 * 86_400_000;

/** Whether the feed still holds a row of that time. */
export const isInFeed = ({ at }: AuditRow, nowMs: number): boolean => Date.parse(at) + feedSeconds * 1000 > nowMs;

/** Of rows of the audit, those that the feed does not show, or not as they are. One BatchGet for fifty. */
export async function missedInFeed({ platform }: PlatformContext, rows: readonly AuditRow[]): Promise<Flaw[]> {
  const flaws: Flaw[] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    const shown = await platform.batchGet(some.map(feedKey));
    for (const [at, row] of some.entries()) {
      const inFeed = shown[at];
      if (!inFeed) flaws.push({ kind: "missing", where: "feed", rowId: row.id });
      else if (canonical(inFeed) !== canonical(feedRow(row))) flaws.push({ kind: "altered", where: "feed", rowId: row.id });
    }
  }
  return flaws;
}

export type FeedVerification = { rows: number; intactRows: number; flaws: Flaw[] };

/**
 * Reads the feed of all tenants, and names each row that no log has, or that lies where it does not belong. What a log has
 * and the feed has not, or shows otherwise, is found with that log.
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
          const isHome = origin !== undefined && feedKey(origin).at.pk === partition;
          result.rows += 1;
          if (isHome) result.intactRows += 1;
          else result.flaws.push({ kind: origin ? "misplaced" : "unknown", where: "feed", rowId: id });
        }
      }
  return result;
}

/** The rows of the logs that rows of the feed were made of. */
const originsOf = async ({ platform }: PlatformContext, page: readonly AuditRow[]): Promise<(AuditRow | undefined)[]> => {
  const origins = new Map<string, AuditRow>();
  const byTenant = Map.groupBy(page, ({ tenantId }) => tenantId);
  await allDone(
    [...byTenant].map(async ([tenantId, rows]) => {
      const log = tenantId === undefined ? platform : platform.inTenant(tenantId);
      for (let from = 0; from < rows.length; from += atOnce) {
        const found = await log.batchGet(
          rows
            .slice(from, from + atOnce)
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
