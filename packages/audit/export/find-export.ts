import { exportLink } from "@vitaline/aws";
import type { AuditExport } from "@vitaline/contract";
import { notFound, type Context } from "@vitaline/core";
import { update, type ExportRow, type Page } from "@vitaline/store";
import type { ExportScope } from "./export-scope.ts";
import { startExportJob } from "./run-export.ts";

const linkSeconds = 600;
const silentMs = 120_000;
const maxTries = 3;
const pageSize = 20;

/** Unexpired exports, newest first. One Query, one batch read of names. */
export async function listExports(
  scope: ExportScope,
  { limit = pageSize, cursor }: { limit?: number; cursor?: string },
): Promise<Page<AuditExport>> {
  const { rows, next } = await scope.storeFor({}).query<ExportRow>(scope.partition, { descending: true, limit, cursor });
  const names = await scope.userNames([...new Set(rows.map(({ requestedBy }) => requestedBy))]);
  return { rows: rows.map((row) => ({ ...toAuditExport(row), requestedByName: names.get(row.requestedBy) ?? null })), next };
}

/** The state of an export, with a link if it is ready. Restarts one without a heartbeat, up to three attempts. AppError `not_found`. */
export async function findExport(ctx: Context, scope: ExportScope, exportId: string): Promise<AuditExport> {
  const row = await scope.find(exportId);
  if (!row) throw notFound();
  if (row.status === "ready") return withDownloadLink(ctx, scope, row);
  return toAuditExport(isSilent(ctx, row) ? await restartExport(ctx, scope, row) : row);
}

const isSilent = ({ clock }: Context, { status, heartbeatAt }: ExportRow): boolean =>
  (status === "queued" || status === "running") && clock().getTime() - Date.parse(heartbeatAt) > silentMs;

/** Of several concurrent requests, only one restarts it. */
const restartExport = async (ctx: Context, scope: ExportScope, row: ExportRow): Promise<ExportRow> => {
  const { id, tries, heartbeatAt } = row;
  const canRetry = tries < maxTries;
  const set = canRetry
    ? { status: "queued" as const, tries: tries + 1, heartbeatAt: ctx.clock().toISOString() }
    : { status: "failed" as const };
  const updated = await scope.storeFor(row).writeUnaudited<ExportRow>(update(scope.keyOf(id), { set }, { equals: { tries, heartbeatAt } }));
  if (updated && canRetry) await startExportJob(ctx, scope, updated);
  return updated ?? row;
};

/** The export with a link that is valid for ten minutes; audited. */
export async function withDownloadLink(ctx: Context, scope: ExportScope, row: ExportRow): Promise<AuditExport> {
  const name = `audit-${row.start}-to-${row.end}.${row.format}`;
  await scope.storeFor(row).commit([], {
    category: "data_query",
    action: "audit.download",
    resourceType: "Export",
    resourceId: row.id,
    detail: { format: row.format },
  });
  const url = await exportLink(row.file ?? "", name, linkSeconds);
  return { ...toAuditExport(row), url, urlExpiresAt: new Date(ctx.clock().getTime() + linkSeconds * 1000).toISOString() };
}

export const toAuditExport = (row: ExportRow): AuditExport => ({
  exportId: row.id,
  state: row.status,
  format: row.format,
  start: row.start,
  end: row.end,
  timeZone: row.timeZone,
  tenantId: row.tenantId ?? null,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  tooLong: row.tooLong ?? false,
  rows: row.rows ?? null,
  bytes: row.bytes ?? null,
  expiresAt: new Date(row.expiresAt * 1000).toISOString(),
});
