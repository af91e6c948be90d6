import { stringify } from "csv-stringify/sync";
import { resultOf } from "../log/classification.ts";
import type { ReportRow } from "./report-row.ts";

export type ReportTitle = { subject: string; start: string; end: string; timeZone: string; writtenAt: string };

/** Writes a report in pieces. Memory does not grow with the number of rows, except for a few bytes per page. */
export type ReportFormat = (title: ReportTitle) => {
  head(): Buffer;
  rows(rows: readonly ReportRow[]): Buffer;
  foot(): Buffer;
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
  { title: "Success", of: (row) => (resultOf(row) === "emergency" ? "" : String(row.success)) },
  { title: "Code", of: (row) => row.code },
  { title: "Request", of: (row) => row.requestId },
  { title: "Detail", of: (row) => formatDetail(row.detail) },
];

/** RFC 4180, with spreadsheet formulas escaped by an apostrophe, and cells with a lone CR or LF quoted too. */
export const csv: ReportFormat = () => {
  const options = { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;
  const write = (records: string[][]): Buffer => Buffer.from(stringify(records, options));
  return {
    head: () => write([columns.map(({ title }) => title)]),
    rows: (rows) => write(rows.map((row) => columns.map(({ of }) => of(row)))),
    foot: () => Buffer.alloc(0),
  };
};

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

export const formatDetail = (detail: ReportRow["detail"]): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
