import { exportLink, readExportFile } from "@vitaline/aws";
import type { AccessEntry, AccessReportDetail, ExportFormat } from "@vitaline/contract";
import { type Context, notFound } from "@vitaline/core";
import { type AccessReportRow, update } from "@vitaline/store";
import { withPatients } from "./entry.ts";
import { startAccessJob } from "./job.ts";
import { accessAudit, type AccessScope, folderOf } from "./scope.ts";
import { linksFromText, noLinks } from "./subject.ts";
import { toAccessReport } from "./view.ts";

const linkSeconds = 600;
const silentMs = 120_000;
const maxTries = 5;

/**
 * A report's progress; once it is ready, a page of its entries or a download link, which is audited. Restarts one without a heartbeat from
 * where it was, up to five attempts. AppError `not_found`.
 */
export async function readAccessReport(
  ctx: Context,
  scope: AccessScope,
  reportId: string,
  { page, download }: { page: number; download?: ExportFormat | undefined },
): Promise<AccessReportDetail> {
  const row = await scope.find(reportId);
  if (!row) throw notFound();
  const nothing = { patientId: null, fhirProviderId: null, userId: null, userName: null, entries: [], nextPage: null, url: null };
  if (row.status !== "ready") return { ...toAccessReport(await (isSilent(ctx, row) ? restart(ctx, scope, row) : row)), ...nothing };
  const { about, progress, start, end } = row;
  if (page > Math.max(1, progress.pages.length)) throw notFound();
  await scope.storeFor(row).commit([], download ? accessAudit(row, "download", { format: download }) : accessAudit(row, "read", { page }));
  const subject =
    about.kind === "patient" ? { patientId: about.patientId, fhirProviderId: about.fhirProviderId ?? null } : { userId: about.userId };
  const report = { ...toAccessReport(row), ...nothing, ...subject };
  if (download) {
    const name = `access-report-${start}-to-${end}.${download}`;
    return { ...report, url: await exportLink(`${folderOf(scope, row.id)}/report.${download}`, name, linkSeconds) };
  }
  const entries = await pageOf(scope, row, page);
  const userName = about.kind === "user" ? (entries.find(({ actorName }) => actorName !== null)?.actorName ?? null) : null;
  return { ...report, userName, entries, nextPage: page < progress.pages.length ? page + 1 : null };
}

/** A page as the job wrote it, with the patients of calls. */
export async function pageOf(scope: AccessScope, { id, about, progress }: AccessReportRow, page: number): Promise<AccessEntry[]> {
  const name = progress.pages[page - 1];
  if (name === undefined) return [];
  const folder = folderOf(scope, id);
  const entries = JSON.parse(await readExportFile(`${folder}/${name}.json`)) as AccessEntry[];
  if (about.kind === "patient") return entries;
  return withPatients(
    entries,
    progress.links === undefined ? noLinks() : linksFromText(await readExportFile(`${folder}/${progress.links}.json`)),
  );
}

const isSilent = ({ clock }: Context, { status, heartbeatAt }: AccessReportRow): boolean =>
  (status === "queued" || status === "running") && clock().getTime() - Date.parse(heartbeatAt) > silentMs;

/** Of several concurrent requests, only one restarts it. */
const restart = async (ctx: Context, scope: AccessScope, row: AccessReportRow): Promise<AccessReportRow> => {
  const { id, tries, heartbeatAt } = row;
  const canRetry = tries < maxTries;
  const set = canRetry
    ? { status: "queued" as const, tries: tries + 1, heartbeatAt: ctx.clock().toISOString() }
    : { status: "failed" as const };
  const updated = await scope
    .storeFor(row)
    .writeUnaudited<AccessReportRow>(update(scope.keyOf(id), { set }, { equals: { tries, heartbeatAt } }));
  if (updated && canRetry) await startAccessJob(ctx, scope, updated);
  return updated ?? row;
};
