import { stringify } from "csv-stringify/sync";
import type { ReportRow } from "./report-row.ts";

/** One array; each row of it on a line of its own. */
export const json: ReportFormat = () => {
  let isFirst = true;
  return {
    head: () => Buffer.from("["),
    rows: (rows) =>
      Buffer.from(
        rows
          .map(({ id: _id, ...row }) => {
            const before = isFirst ? "\n" : ",\n";
            isFirst = false;
            return before + JSON.stringify(row);
          })
          .join(""),
      ),
    foot: () => Buffer.from("\n]\n"),
  };
};

const columns: readonly { title: string; of(row: ReportRow): string }[] = [
  { title: "Time (UTC)", of: (row) => row.time },
  { title: "Class", of: (row) => row.class },
  { title: "Action", of: (row) => row.action },
  { title: "Actor kind", of: (row) => row.actorKind },
  { title: "Actor", of: (row) => row.actorId },
  { title: "Tenant", of: (row) => row.tenantId },
  { title: "Resource type", of: (row) => row.resourceType },
  { title: "Resource", of: (row) => row.resourceId },
  { title: "Address", of: (row) => row.address },
  { title: "Success", of: (row) => String(row.success) },
  { title: "Code", of: (row) => row.code },
  { title: "Request", of: (row) => row.requestId },
  { title: "Detail", of: (row) => detailText(row.detail) },
];

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe; a cell with half a line's end in it is quoted too. */
export const csv: ReportFormat = () => {
  const options = { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;
  const write = (records: string[][]): Buffer => Buffer.from(stringify(records, options));
  return {
    head: () => write([columns.map(({ title }) => title)]),
    rows: (rows) => write(rows.map((row) => columns.map(({ of }) => of(row)))),
    foot: () => Buffer.alloc(0),
  };
};

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
