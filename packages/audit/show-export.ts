import { exportLink } from "@vitaline/aws";
import type { AuditExport } from "@vitaline/contract";
import type { Context } from "@vitaline/core";
import type { ExportRow } from "@vitaline/store";
import type { Desk } from "./desk.ts";

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
