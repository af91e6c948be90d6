import { toToolRun } from "@vitaline/calls";
import type { ToolRun } from "@vitaline/contract";
import { dayMs } from "@vitaline/core";
import { type AuditCategory, type AuditRow, keys, type Page, type TenantContext, tenantRetention } from "@vitaline/store";
import { type Log, readLog } from "../log/read-log.ts";

const pageSize = 100;
/** Pages of the log that are read until one has a run. */
const maxLogPages = 5;
/** A tenant's runs can be older than itself: the demo's past. */
const olderMs = 90 * dayMs;
const categoriesOfTools: readonly AuditCategory[] = ["patient_access", "api_call"];

/** A tool's run in a call, as opposed to one in the console, or to what was found out about its outcome later. */
const isRunInCall = ({ action, callKey, detail }: AuditRow): boolean =>
  callKey !== undefined && action === `tool.${String(detail?.["tool"])}` && detail?.["test"] !== true;

/**
 * Tool runs of all calls of a tenant that was created at `createdAt`, newest first, with a projection delay of about a second. A run has
 * the id of its audit row, so the log tells which runs there were, and their own rows which of them are kept: those of an erased call are
 * gone. So a page may be short and still have a next one. Two round trips: a Query for each category, and a BatchGet of the page's runs; one more for each further month that the
 * page reaches back.
 */
export async function toolRuns(
  ctx: TenantContext,
  createdAt: string,
  { limit = pageSize, cursor }: { limit?: number; cursor?: string },
): Promise<Page<ToolRun>> {
  const until = ctx.clock();
  const { calls } = await tenantRetention(ctx);
  const from = new Date(Math.max(until.getTime() - calls * dayMs, Date.parse(createdAt) - olderMs));
  const log: Log = {
    name: `TENANT#${ctx.tenantId}#TOOLS`,
    partitionsOf: (month) => categoriesOfTools.map((category) => keys.tenantPartitions.audit(ctx.tenantId, month, category)),
    query: (partition, range) => ctx.store.query(partition, range),
  };
  let next = cursor;
  for (let pages = 1; ; pages++) {
    const page = await readLog(log, { from, until, limit, cursor: next, keep: isRunInCall });
    ({ next } = page);
    const runs = page.rows.length === 0 ? [] : await ctx.store.batchGet(page.rows.map(({ callKey = "", id }) => keys.toolRun(callKey, id)));
    const rows = runs.flatMap((run) => (run ? [toToolRun(run)] : []));
    if (rows.length > 0 || next === undefined || pages === maxLogPages) return { rows, next };
  }
}
