import { writeExportFile } from "@vitaline/aws";
import type { ExportFormat } from "@vitaline/contract";
import type { ExportRow } from "@vitaline/store";
import { csv, json, type ReportFormat, type ReportTitle } from "../report/format.ts";
import type { Desk } from "./export-scope.ts";
import { pdf } from "../report/pdf.ts";
import { boundsOf } from "../report/period.ts";
import type { ReportRow } from "../report/report-row.ts";
import { reportPages } from "../report/report.ts";

const formats: Readonly<Record<ExportFormat, { write: ReportFormat; type: string }>> = {
  csv: { write: csv, type: "text/csv; charset=utf-8" },
  json: { write: json, type: "application/json" },
  pdf: { write: pdf, type: "application/pdf" },
};

/** What a file came to; `file` is its name in the bucket. */
export type Written = { rows: number; bytes: number; file: string };

/**
 * Writes the file of an export, page by page; what happens after it was asked for is not in it, so that writing it again
 * gives the same rows. `onRows` hears how many there are so far, and ends the writing by throwing.
 */
export async function writeExport(desk: Desk, row: ExportRow, onRows: (rows: number) => Promise<void> | void): Promise<Written> {
  const { write, type } = formats[row.format];
  const { fromMs, untilMs } = boundsOf(row);
  const { category, search } = row;
  const scope = {
    tenantIds: desk.tenantIds(row),
    fromMs,
    untilMs: Math.min(untilMs, Date.parse(row.requestedAt)),
    category,
    search,
    namesPatients: row.tenantId !== undefined,
  };
  const file = `exports/${desk.tenantId ?? "platform"}/${row.id}.${row.format}`;
  const title = { subject: await desk.subjectOf(row), start: row.start, end: row.end, timeZone: row.timeZone, writtenAt: row.requestedAt };
  let rows = 0;
  const counted = async (more: number) => {
    rows += more;
    await onRows(rows);
  };
  const bytes = await writeExportFile(file, type, contentOf(write, title, reportPages(desk.storeFor(row), scope), counted));
  return { rows, bytes, file };
}

async function* contentOf(
  format: ReportFormat,
  title: ReportTitle,
  pages: AsyncIterable<ReportRow[]>,
  counted: (rows: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  const writer = format(title);
  yield writer.head();
  for await (const page of pages) {
    await counted(page.length);
    const piece = writer.rows(page);
    if (piece.length > 0) yield piece;
  }
  yield writer.foot();
}
