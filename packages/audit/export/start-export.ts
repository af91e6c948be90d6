import type { AuditExport, NewPlatformExport, NewTenantExport } from "@vitaline/contract";
import { type Context, newId } from "@vitaline/core";
import { create, type ExportRow } from "@vitaline/store";
import type { ExportScope } from "./export-scope.ts";
import { writeExport } from "./write-export.ts";
import { countAsked } from "../log/asking-limit.ts";
import { reportPeriod } from "../log/period.ts";
import { completeExport, startExportJob } from "./run-export.ts";
import { toAuditExport, withDownloadLink } from "./find-export.ts";

const keptDays = 7;
/** Limits of an export that is written before the answer is sent. */
const immediate = { rows: 2000, ms: 4000 };
const tooLarge = new Error("This export is too large to write immediately");

/**
 * Requests an audit report; audited. A short one is ready in the answer, a long one is written by the export function. AppError
 * `invalid_request` for an invalid period; `too_many_requests`.
 */
export async function startExport(
  ctx: Context,
  scope: ExportScope,
  { start, end, timeZone, format, actionType, search, tenantId }: NewTenantExport & Pick<NewPlatformExport, "tenantId">,
): Promise<AuditExport> {
  const now = ctx.clock();
  const period = reportPeriod({ start, end, timeZone }, now);
  const row: ExportRow = {
    id: newId(now.getTime()),
    status: "queued",
    format,
    start: period.start,
    end: period.end,
    timeZone,
    tenantId: scope.tenantId ?? tenantId ?? undefined,
    category: actionType === "all" ? undefined : actionType,
    search,
    requestedBy: ctx.actor.id,
    requestedAt: now.toISOString(),
    tries: 1,
    heartbeatAt: now.toISOString(),
    expiresAt: Math.floor(now.getTime() / 1000) + keptDays * 86_400,
  };
  await countAsked(ctx, scope.asked);
  await scope.storeFor(row).commit([create(scope.keyOf(row.id), row)], {
    category: "data_query",
    action: "audit.export",
    resourceType: "Export",
    resourceId: row.id,
    detail: { format, start: row.start, end: row.end, timeZone, filtered: row.category !== undefined || row.search !== undefined },
  });
  const ready = await writeImmediately(ctx, scope, row);
  if (ready) return withDownloadLink(ctx, scope, ready);
  await startExportJob(ctx, scope, row);
  return toAuditExport(row);
}

/** Undefined if the export is too large. */
const writeImmediately = async (ctx: Context, scope: ExportScope, row: ExportRow): Promise<ExportRow | undefined> => {
  const begun = performance.now();
  const onRows = (rows: number): void => {
    if (rows > immediate.rows || performance.now() - begun > immediate.ms) throw tooLarge;
  };
  try {
    return await completeExport(ctx, scope, row, await writeExport(scope, row, onRows));
  } catch (error) {
    if (error === tooLarge) return undefined;
    throw error;
  }
};
