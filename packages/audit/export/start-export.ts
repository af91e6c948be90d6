import type { AuditExport, NewPlatformExport, NewTenantExport } from "@vitaline/contract";
import { type Context, newId } from "@vitaline/core";
import { create, type ExportRow } from "@vitaline/store";
import type { Desk } from "./export-scope.ts";
import { writeExport } from "./write-export.ts";
import { periodOf } from "../report/period.ts";
import { finishExport, startJob } from "./run-export.ts";
import { asExport, withLink } from "./find-export.ts";

const keptDays = 7;
/** What is written before the answer leaves: so many rows, and so long. */
const atOnce = { rows: 2000, ms: 4000 };
const tooLong = new Error("This report is too long to be written at once");

/**
 * Asks for a report of the audit, and says so in the audit. A short one is ready in the answer; a long one is written by a
 * function of its own. AppError `invalid_request` when the days are not such as a report can have.
 */
export async function startExport(
  ctx: Context,
  desk: Desk,
  { start, end, timeZone, format, actionType, search, tenantId }: NewTenantExport & Pick<NewPlatformExport, "tenantId">,
): Promise<AuditExport> {
  const now = ctx.clock();
  const period = periodOf({ start, end, timeZone }, now);
  const row: ExportRow = {
    id: newId(now.getTime()),
    status: "queued",
    format,
    start: period.start,
    end: period.end,
    timeZone,
    tenantId: desk.tenantId ?? tenantId ?? undefined,
    category: actionType === "all" ? undefined : actionType,
    search,
    requestedBy: ctx.actor.id,
    requestedAt: now.toISOString(),
    tries: 1,
    heartbeatAt: now.toISOString(),
    expiresAt: Math.floor(now.getTime() / 1000) + keptDays * 86_400,
  };
  await desk.storeFor(row).commit([create(desk.keyOf(row.id), row)], {
    category: "data_query",
    action: "audit.export",
    resourceType: "Export",
    resourceId: row.id,
    detail: { format, start: row.start, end: row.end, timeZone, filtered: row.category !== undefined || row.search !== undefined },
  });
  const ready = await writeAtOnce(ctx, desk, row);
  if (ready) return withLink(ctx, desk, ready);
  await startJob(ctx, desk, row);
  return asExport(row);
}

/** Undefined when there is too much of it. */
const writeAtOnce = async (ctx: Context, desk: Desk, row: ExportRow): Promise<ExportRow | undefined> => {
  const begun = performance.now();
  const onRows = (rows: number): void => {
    if (rows > atOnce.rows || performance.now() - begun > atOnce.ms) throw tooLong;
  };
  try {
    return await finishExport(ctx, desk, row, await writeExport(desk, row, onRows));
  } catch (error) {
    if (error === tooLong) return undefined;
    throw error;
  }
};
