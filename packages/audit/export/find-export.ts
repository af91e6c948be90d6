import type { AuditExport } from "@vitaline/contract";
import { type Context, notFound } from "@vitaline/core";
import { type ExportRow, type Page, update } from "@vitaline/store";
import { exportLink } from "@vitaline/aws";
import type { Desk } from "./export-scope.ts";
import { startJob } from "./run-export.ts";

const linkSeconds = 600;

export const asExport = (row: ExportRow): AuditExport => ({
  exportId: row.id,
  state: row.status,
  format: row.format,
  start: row.start,
  end: row.end,
  timeZone: row.timeZone,
  tenantId: row.tenantId ?? null,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  rows: row.rows ?? null,
  bytes: row.bytes ?? null,
  expiresAt: new Date(row.expiresAt * 1000).toISOString(),
});

/** The export with a link that works for ten minutes; that it was handed out is in the audit. */
export async function withLink(ctx: Context, desk: Desk, row: ExportRow): Promise<AuditExport> {
  const name = `audit-${row.start}-to-${row.end}.${row.format}`;
  await desk.storeFor(row).commit([], {
    category: "data_query",
    action: "audit.download",
    resourceType: "Export",
    resourceId: row.id,
    detail: { format: row.format },
  });
  const url = await exportLink(row.file ?? "", name, linkSeconds);
  return { ...asExport(row), url, urlExpiresAt: new Date(ctx.clock().getTime() + linkSeconds * 1000).toISOString() };
}

const silentMs = 120_000;
const mostTries = 3;
const usualPage = 20;

/** Exports that are still there, newest first; one Query. */
export async function listExports(
  desk: Desk,
  { limit = usualPage, cursor }: { limit?: number; cursor?: string },
): Promise<Page<AuditExport>> {
  const { rows, next } = await desk.storeFor({}).query<ExportRow>(desk.partition, { descending: true, limit, cursor });
  return { rows: rows.map(asExport), next };
}

/** How far an export is, with a link when it is ready. One that has fallen silent is begun again, three times in all. */
export async function findExport(ctx: Context, desk: Desk, exportId: string): Promise<AuditExport> {
  const row = await desk.find(exportId);
  if (!row) throw notFound();
  return row.status === "ready" ? withLink(ctx, desk, row) : asExport(isSilent(ctx, row) ? await beginAgain(ctx, desk, row) : row);
}

const isSilent = ({ clock }: Context, { status, heartbeatAt }: ExportRow): boolean =>
  (status === "queued" || status === "running") && clock().getTime() - Date.parse(heartbeatAt) > silentMs;

/** Of several who ask at once, one begins it again. */
const beginAgain = async (ctx: Context, desk: Desk, row: ExportRow): Promise<ExportRow> => {
  const { id, tries, heartbeatAt } = row;
  const again = tries < mostTries;
  const set = again
    ? { status: "queued" as const, tries: tries + 1, heartbeatAt: ctx.clock().toISOString() }
    : { status: "failed" as const };
  const noted = await desk.storeFor(row).note<ExportRow>(update(desk.keyOf(id), { set }, { equals: { tries, heartbeatAt } }));
  if (noted && again) await startJob(ctx, desk, noted);
  return noted ?? row;
};
