import { userNames } from "@vitaline/audit";
import { exportLink } from "@vitaline/aws";
import type { Erasure, ErasureDetail } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, type ErasureRow, type Page } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { auditOf, logOf } from "./log.ts";

const usualPage = 50;
const linkSeconds = 600;

const asErasure = (row: ErasureRow, names: ReadonlyMap<string, string>): Erasure => ({
  id: row.id,
  kind: row.kind,
  tenantId: row.tenantId,
  tenantName: row.tenantName,
  callId: row.callKey ?? null,
  fhirProviderId: row.fhirProviderId ?? null,
  patientId: row.patientId ?? null,
  reason: row.reason,
  status: row.status,
  requestedBy: row.requestedBy,
  requestedByName: names.get(row.requestedBy) ?? null,
  requestedAt: row.requestedAt,
  approvedBy: row.approvedBy ?? null,
  approvedByName: (row.approvedBy && names.get(row.approvedBy)) ?? null,
  approvedAt: row.approvedAt ?? null,
  startsAt: row.startsAt,
  copy: row.copy ? { lines: row.copy.lines, bytes: row.copy.bytes, expiresAt: row.copy.expiresAt } : null,
  erased: row.erased ?? null,
  finishedAt: row.finishedAt ?? null,
  backupsGoneAt: row.backupsGoneAt ?? null,
});

const namesIn = (ctx: PlatformContext, rows: readonly ErasureRow[]): Promise<Map<string, string>> =>
  userNames(ctx, [...new Set(rows.flatMap(({ requestedBy, approvedBy }) => [requestedBy, ...(approvedBy ? [approvedBy] : [])]))]);

/** An erasure with the names of those who asked for it and approved it. One read. */
export const named = async (ctx: PlatformContext, row: ErasureRow): Promise<Erasure> => asErasure(row, await namesIn(ctx, [row]));

/** A page of the erasures of all tenants, or of one, newest first; a page of one tenant's may be short, or empty, and have a next one. Two reads. */
export async function listErasures(
  ctx: PlatformContext,
  { tenantId, ...page }: { tenantId?: string | undefined; limit?: number; cursor?: string },
): Promise<Page<Erasure>> {
  const { rows, next } = await ctx.platform.query<ErasureRow>(keys.partitions.erasures, {
    limit: usualPage,
    ...page,
    descending: true,
    where: tenantId === undefined ? undefined : (row) => row.tenantId === tenantId,
  });
  const names = await namesIn(ctx, rows);
  return { rows: rows.map((row) => asErasure(row, names)), next };
}

/** One erasure with its certificate, and with a link to its copy where that is asked for: the link is audited. AppError `not_found`. */
export async function readErasure(ctx: PlatformContext, id: string, withCopy = false): Promise<ErasureDetail> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row) throw notFound();
  const copyUrl = withCopy ? await linkTo(ctx, row) : null;
  return { ...(await named(ctx, row)), copyUrl, certificate: row.certificate ?? null };
}

const linkTo = async (ctx: PlatformContext, row: ErasureRow): Promise<string | null> => {
  const { copy, kind, requestedAt } = row;
  if (!copy || copy.expiresAt <= ctx.clock().toISOString()) return null;
  await logOf(ctx, row).commit([], auditOf(row, "downloadCopy"));
  return exportLink(copy.file, `erasure-${kind}-${requestedAt.slice(0, 10)}.ndjson`, linkSeconds);
};
