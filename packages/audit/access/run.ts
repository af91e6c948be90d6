import { writeExportFile } from "@vitaline/aws";
import type { ExportFormat } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { type AccessReportRow, keys, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { loggedTenantIds } from "../export/export-scope.ts";
import { periodBounds } from "../log/period.ts";
import type { ReportTitle } from "../report/format.ts";
import { accessFormats } from "./files.ts";
import type { AccessJob } from "./job.ts";
import { pageOf } from "./read.ts";
import { firstMs, type LogSource, missingInTable, needsArchive, scan, type ScannedPage } from "./scan.ts";
import { type AccessScope, folderOf } from "./scope.ts";
import { openState, type ReportState, superseded } from "./state.ts";
import { concerns, noteLinks } from "./subject.ts";

/** `hasTime`: false shortly before the invocation ends. `proceed`: starts the next one. */
type Invocation = { hasTime(): boolean; proceed(job: AccessJob): Promise<void> };

/**
 * Writes a report in steps that are saved every few seconds: an invocation that runs out of time starts the next, and one that fails is
 * continued from its last saved state. Holds a page of rows, and the ids of the subject's calls.
 */
export async function runAccessReport(ctx: PlatformContext, scope: AccessScope, job: AccessJob, invocation: Invocation): Promise<void> {
  const row = await scope.find(job.reportId);
  if (!row || row.tries !== job.tries || row.status === "ready" || row.status === "failed") return;
  try {
    const state = await openState(ctx, scope, row);
    while (state.row.progress.step !== "write") if (!(await readLogs(ctx, state, invocation))) return await invocation.proceed(job);
    await writeFiles(ctx, scope, state);
    await complete(scope, state.row);
  } catch (error) {
    if (error !== superseded) throw error;
    ctx.log("warn", "access_report.superseded", { attempt: job.tries });
  }
}

/** One step over all logs. False if the time was over first. */
async function readLogs(ctx: PlatformContext, state: ReportState, { hasTime }: Invocation): Promise<boolean> {
  const { step } = state.row.progress;
  const range = await rangeOf(ctx, state.row);
  const sources = await sourcesOf(ctx, state.row);
  let { source, after, examined } = state.row.progress;
  for (; source < sources.length; source++, after = "") {
    const from = sources[source] as LogSource;
    if (from.isArchive && after === "" && !(await needsArchive(ctx, from.tenantId, range))) continue;
    for await (const page of scan(ctx, from, range, after)) {
      ({ after } = page);
      examined += page.rows.length;
      await readPage(ctx, state, from, page);
      const time = hasTime();
      if (!time || state.isSaveDue()) await state.save({ source, after, done: (source + page.done) / sources.length, examined });
      if (!time) return false;
    }
  }
  await state.save({ step: step === "find" ? "list" : "write", source: 0, after: "", done: 0, examined });
  return true;
}

const readPage = async (
  ctx: PlatformContext,
  state: ReportState,
  { tenantId, isArchive }: LogSource,
  { rows }: ScannedPage,
): Promise<void> => {
  const { row, links } = state;
  for (const one of rows) noteLinks(row.about, links, one);
  if (row.progress.step === "find") return;
  const { fromMs, untilMs } = periodBounds(row);
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const found = rows.filter((one) => one.at >= from && one.at < until && concerns(row.about, links, one, row.tenantId));
  if (found.length > 0) await state.list(isArchive ? await missingInTable(ctx, tenantId, found) : found);
};

/** The first step reads everything, since a call may have become the patient's before or after the period. */
const rangeOf = async (ctx: PlatformContext, row: AccessReportRow): Promise<{ fromMs: number; untilMs: number }> => {
  const { fromMs, untilMs } = periodBounds(row);
  const requestedMs = Date.parse(row.requestedAt);
  return {
    fromMs: Math.min(fromMs, await firstMs(ctx, row.tenantId)),
    untilMs: row.progress.step === "find" ? requestedMs : Math.min(untilMs, requestedMs),
  };
};

/** Each log with its archive. The platform's own log has the copies of a tenant that is being erased. */
const sourcesOf = async (ctx: PlatformContext, { about, tenantId }: AccessReportRow): Promise<LogSource[]> => {
  const logs = tenantId === undefined ? await allIds(ctx) : about.kind === "patient" ? [tenantId, undefined] : [tenantId];
  return logs.flatMap((one) => [true, false].map((isArchive) => ({ tenantId: one, isArchive })));
};

/** By id, so that a later invocation finds them at the same places: a tenant that is erased meanwhile keeps its own, a new one comes last. */
const allIds = async ({ platform }: PlatformContext): Promise<(string | undefined)[]> => {
  const ids: string[] = [];
  for await (const id of loggedTenantIds(platform)) if (id !== undefined) ids.push(id);
  return [undefined, ...ids.toSorted()];
};

/** One pass over the listed rows for each format. */
async function writeFiles(ctx: PlatformContext, scope: AccessScope, state: ReportState): Promise<void> {
  const title = await titleOf(ctx, scope, state.row);
  for (const name of Object.keys(accessFormats) as ExportFormat[]) {
    const { format, contentType } = accessFormats[name];
    const pieces = async function* (): AsyncGenerator<Buffer> {
      const writer = format(title);
      yield writer.head();
      for (let page = 1; page <= state.row.progress.pages.length; page++) {
        const piece = writer.rows(await pageOf(scope, state.row, page));
        if (piece.length > 0) yield piece;
        await state.beat();
      }
      yield writer.foot();
    };
    await writeExportFile(`${folderOf(scope, state.row.id)}/report.${name}`, contentType, pieces());
  }
}

const titleOf = async (
  ctx: PlatformContext,
  scope: AccessScope,
  { about, tenantId, start, end, timeZone, requestedAt }: AccessReportRow,
): Promise<ReportTitle> => {
  const tenant = tenantId === undefined ? undefined : await ctx.platform.inTenant(tenantId).get(keys.tenantConfig());
  const owner = tenantId === undefined ? "all organizations" : (tenant?.name ?? tenantId);
  const subject =
    about.kind === "patient"
      ? `Patient ${about.patientId}, ${owner}`
      : `${(await scope.userNames([about.userId])).get(about.userId) ?? "User"} (${about.userId}), ${owner}`;
  return { subject, start, end, timeZone, writtenAt: requestedAt };
};

/** Audited. Of several invocations, only one completes it. */
const complete = async (scope: AccessScope, row: AccessReportRow): Promise<void> => {
  const { id, tries, seq, progress } = row;
  const change = update<AccessReportRow>(scope.keyOf(id), { set: { status: "ready", seq: seq + 1 } }, { equals: { tries, seq } });
  try {
    await scope.storeFor(row).commit([change], {
      category: "data_query",
      action: "accessReport.ready",
      resourceType: "AccessReport",
      resourceId: id,
      detail: { rows: progress.rows, examined: progress.examined },
    });
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
    throw superseded;
  }
};
