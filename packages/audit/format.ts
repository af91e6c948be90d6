import type { ReportRow } from "./report-row.ts";

/** What a report says of itself. */
export type ReportTitle = { subject: string; start: string; end: string; timeZone: string; writtenAt: string };

/** Writes a report as its rows come; what it keeps does not grow with their number, but for a few bytes a page. */
export type ReportFormat = (title: ReportTitle) => {
  head(): Buffer;
  rows(rows: readonly ReportRow[]): Buffer;
  foot(): Buffer;
};

/** What an audit row adds, as one text. */
export const detailText = (detail: ReportRow["detail"]): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
