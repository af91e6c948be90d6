import { userNames } from "@vitaline/audit";
import { exportLink } from "@vitaline/aws";
import type { Erasure, ErasureDetail } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
import { keys, type ErasureRow, type Page } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { auditOf, auditLogOf } from "./audit-entry.ts";

const pageSize = 50;
const linkSeconds = 600;

const copySummary = ({ files, expiresAt }: NonNullable<ErasureRow["copy"]>): Erasure["copy"] => ({
  files: files.length,
  lines: files.reduce((total, { lines }) => total + lines, 0),
  bytes: files.reduce((total, { bytes }) => total + bytes, 0),
  expiresAt,
});

const toErasure = (row: ErasureRow, names: ReadonlyMap<string, string>): Erasure => ({
  id: row.id,
  kind: row.kind,
  tenantId: row.tenantId,
  tenantName: row.tenantName,
  callId: null,
  fhirProviderId: row.fhirProviderId ?? null,
  patientId: null,
  reason: row.reason,
  status: row.status,
  requestedBy: row.requestedBy,
  requestedByName: names.get(row.requestedBy) ?? null,
  requestedAt: row.requestedAt,
  approvedBy: row.approvedBy ?? null,
  approvedByName: (row.approvedBy && names.get(row.approvedBy)) ?? null,
  approvedAt: row.approvedAt ?? null,
  startsAt: row.startsAt,
  copy: row.copy && !row.copying && row.status !== "exporting" ? copySummary(row.copy) : null,
  erased: row.erased ?? null,
  finishedAt: row.finishedAt ?? null,
  backupsGoneAt: row.backupsGoneAt ?? null,
});

const readNames = (ctx: PlatformContext, rows: readonly ErasureRow[]): Promise<Map<string, string>> =>
  userNames(ctx, [...new Set(rows.flatMap(({ requestedBy, approvedBy }) => [requestedBy, ...(approvedBy ? [approvedBy] : [])]))]);

/** With the names of the administrators who requested and approved it. One read. */
export const toErasureWithNames = async (ctx: PlatformContext, row: ErasureRow): Promise<Erasure> =>
  toErasure(row, await readNames(ctx, [row]));

/** Erasures of all tenants or of one, newest first; a page of one tenant's may be short or empty and still have a next one. Two reads. */
export async function listErasures(
  ctx: PlatformContext,
  { tenantId, ...page }: { tenantId?: string | undefined; limit?: number; cursor?: string },
): Promise<Page<Erasure>> {
  const { rows, next } = await ctx.platform.query<ErasureRow>(keys.partitions.erasures, {
    limit: pageSize,
    ...page,
    descending: true,
    where: tenantId === undefined ? undefined : (row) => row.tenantId === tenantId,
  });
  const names = await readNames(ctx, rows);
  return { rows: rows.map((row) => toErasure(row, names)), next };
}

/** One erasure with its certificate, and on request with the subject's ids or links to its copy; these are audited. AppError `not_found`. */
export async function readErasure(
  ctx: PlatformContext,
  id: string,
  { withSubject = false, withCopy = false }: { withSubject?: boolean | undefined; withCopy?: boolean | undefined } = {},
): Promise<ErasureDetail> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row) throw notFound();
  const copyUrls = withCopy ? await copyLinks(ctx, row) : null;
  // The certificate contains the subject's ids too.
  if (row.kind !== "tenant" && (withSubject || row.certificate)) await auditLogOf(ctx, row).commit([], auditOf(row, "read"));
  const subject = withSubject ? { callId: row.callKey ?? null, patientId: row.patientId ?? null } : {};
  return { ...(await toErasureWithNames(ctx, row)), ...subject, copyUrls, certificate: row.certificate ?? null };
}

const copyLinks = async (ctx: PlatformContext, row: ErasureRow): Promise<string[] | null> => {
  const { copy, kind, requestedAt, status } = row;
  if (!copy || status === "exporting" || copy.expiresAt <= ctx.clock().toISOString()) return null;
  await auditLogOf(ctx, row).commit([], auditOf(row, "downloadCopy"));
  const name = `erasure-${kind}-${requestedAt.slice(0, 10)}`;
  return awaitAllThenThrow(
    copy.files.map((file, at) => exportLink(file.name, `${name}${copy.files.length > 1 ? `-${at + 1}` : ""}.ndjson`, linkSeconds)),
  );
};
