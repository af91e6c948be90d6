import type { CallExport, CallFilter } from "@vitaline/contract";
import { minuteIn, awaitAllThenThrow, utcDate } from "@vitaline/core";
import { tenantTimeZone, type CallRow, type TenantContext } from "@vitaline/store";
import { stringify } from "csv-stringify/sync";
import { intentOf } from "../events/call-results.ts";
import { officeNames } from "../office.ts";
import { findCalls } from "./list.ts";
import { durationOf, needsFollowUp, outcomeOf, startOf, wasAbandoned } from "./call-view.ts";

const maxRows = 2000;
/** Bounds the work of a filter that matches few calls. */
const rowsExaminedPerPage = 1000;
const maxPages = 20;

type Column = { title: string; of(row: CallRow): string };

const columns: readonly Column[] = [
  { title: "Call", of: (row) => row.callKey },
  { title: "Started (UTC)", of: (row) => startOf(row) },
  { title: "Seconds", of: (row) => String(durationOf(row) ?? "") },
  { title: "Status", of: (row) => row.status },
  { title: "Outcome", of: (row) => outcomeOf(row) ?? "" },
  { title: "Needs follow-up", of: (row) => String(needsFollowUp(row)) },
  { title: "Forwarded", of: (row) => String(row.forwarded) },
  { title: "Direction", of: (row) => row.direction ?? "" },
  { title: "Platform", of: (row) => row.platform },
  { title: "Agent", of: (row) => row.agentId ?? "" },
  { title: "Office", of: (row) => row.officeId ?? "" },
  { title: "Tools", of: (row) => [...(row.toolsUsed ?? [])].toSorted().join(" ") },
  { title: "Ended reason", of: (row) => row.endedReason ?? "" },
  { title: "What came of it", of: (row) => row.outcome ?? "" },
  { title: "Abandoned", of: (row) => String(wasAbandoned(row)) },
  { title: "A tool failed", of: (row) => String(row.toolFailed ?? false) },
];

/** For readers: the same in the tenant's words and zone, after the columns that programs know. */
const readable = (timeZone: string, offices: ReadonlyMap<string, string>): Column[] => [
  { title: `Started (${timeZone})`, of: (row) => minuteIn(timeZone, new Date(startOf(row))) },
  { title: "Agent name", of: (row) => row.agentName ?? "" },
  { title: "Office name", of: (row) => (row.officeId && offices.get(row.officeId)) ?? "" },
  { title: "Test call", of: (row) => String(row.isTest ?? false) },
  { title: "Reason", of: (row) => intentOf(row) ?? "" },
];

/**
 * The tenant's calls that match the filter, newest first, as CSV (RFC 4180, with spreadsheet formulas escaped). The audit row is
 * written before the answer is sent. AppError `not_found` for another tenant's office.
 */
export async function exportCalls(ctx: TenantContext, filter: CallFilter): Promise<CallExport> {
  const rows: CallRow[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && rows.length < maxRows && (page === 0 || cursor !== undefined); page++) {
    const found = await findCalls(
      ctx,
      { ...filter, limit: Math.min(rowsExaminedPerPage, maxRows - rows.length), cursor },
      rowsExaminedPerPage,
    );
    rows.push(...found.rows);
    cursor = found.next;
  }
  const [timeZone, offices] = await awaitAllThenThrow([tenantTimeZone(ctx), officeNames(ctx)]);
  const all = [...columns, ...readable(timeZone, offices)];
  const records = [all.map(({ title }) => title), ...rows.map((row) => all.map(({ of }) => of(row)))];
  const starts = rows.map(startOf).toSorted();
  await ctx.store.commit([], {
    category: "data_query",
    action: "call.export",
    resourceType: "Call",
    detail: { rows: rows.length, ...(starts.length > 0 ? { oldest: starts[0]!, newest: starts.at(-1)! } : {}) },
  });
  return {
    fileName: `calls-${utcDate(ctx.clock())}.csv`,
    rows: rows.length,
    complete: cursor === undefined,
    csv: stringify(records, { escape_formulas: true, record_delimiter: "windows" }),
  };
}
