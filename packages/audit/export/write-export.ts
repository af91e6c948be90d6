import { writeExportFile } from "@vitaline/aws";
import type { ExportFormat } from "@vitaline/contract";
import type { ExportRow } from "@vitaline/store";
import { csv, json, type ReportFormat, type ReportTitle } from "../report/format.ts";
import { pdf } from "../report/pdf.ts";
import { periodBounds } from "../log/period.ts";
import type { ReportRow } from "../report/report-row.ts";
import { reportPages } from "../report/report.ts";
import type { ExportScope } from "./export-scope.ts";

const formats: Readonly<Record<ExportFormat, { format: ReportFormat; contentType: string }>> = {
  csv: { format: csv, contentType: "text/csv; charset=utf-8" },
  json: { format: json, contentType: "application/json" },
  pdf: { format: pdf, contentType: "application/pdf" },
};

/** `file`: the object key in the bucket. */
export type WrittenFile = { rows: number; bytes: number; file: string };

/**
 * Writes the file of an export page by page. Excludes rows newer than the request, so that a repetition writes the same rows.
 * `onRows` receives the number of rows so far, also while none are found, and may throw to stop.
 */
export async function writeExport(
  scope: ExportScope,
  row: ExportRow,
  onRows: (rows: number) => Promise<void> | void,
): Promise<WrittenFile> {
  const { format, contentType } = formats[row.format];
  const { fromMs, untilMs } = periodBounds(row);
  const { category, search } = row;
  let rows = 0;
  const pages = reportPages(scope.storeFor(row), {
    tenantIds: scope.tenantIds(row),
    fromMs,
    untilMs: Math.min(untilMs, Date.parse(row.requestedAt)),
    category,
    search,
    namesPatients: row.tenantId !== undefined,
    names: scope.names(),
    onRead: () => onRows(rows),
  });
  const file = `exports/${scope.tenantId ?? "platform"}/${row.id}.${row.format}`;
  const title = { subject: await scope.subjectOf(row), start: row.start, end: row.end, timeZone: row.timeZone, writtenAt: row.requestedAt };
  const onPage = async (pageRows: number) => {
    rows += pageRows;
    await onRows(rows);
  };
  const bytes = await writeExportFile(file, contentType, formatPages(format, title, pages, onPage));
  return { rows, bytes, file };
}

async function* formatPages(
  format: ReportFormat,
  title: ReportTitle,
  pages: AsyncIterable<ReportRow[]>,
  onPage: (rows: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  const writer = format(title);
  yield writer.head();
  for await (const page of pages) {
    await onPage(page.length);
    const piece = writer.rows(page);
    if (piece.length > 0) yield piece;
  }
  yield writer.foot();
}
