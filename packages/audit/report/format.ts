import { stringify } from "csv-stringify/sync";
import { resultOf } from "../log/classification.ts";
import type { ReportRow } from "./report-row.ts";

export type ReportTitle = { subject: string; start: string; end: string; timeZone: string; writtenAt: string };

/** Writes a report in pieces. Memory does not grow with the number of rows, except for a few bytes per page. */
export type ReportFormat<Row = ReportRow> = (title: ReportTitle) => {
  head(): Buffer;
  rows(rows: readonly Row[]): Buffer;
  foot(): Buffer;
};

export type CsvColumn<Row> = { title: string; of(row: Row): string };

const columns: readonly CsvColumn<ReportRow>[] = [
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
  { title: "Actor name", of: (row) => row.actorName },
  { title: "Tenant name", of: (row) => row.tenantName },
];

/** RFC 4180, with spreadsheet formulas escaped by an apostrophe, and cells with a lone CR or LF quoted too. */
export const csvOf =
  <Row>(columns: readonly CsvColumn<Row>[]): ReportFormat<Row> =>
  () => {
    const options = { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;
    const write = (records: string[][]): Buffer => Buffer.from(stringify(records, options));
    return {
      head: () => write([columns.map(({ title }) => title)]),
      rows: (rows) => write(rows.map((row) => columns.map(({ of }) => of(row)))),
      foot: () => Buffer.alloc(0),
    };
  };

export const csv = csvOf(columns);

/** One array. `toJson` drops what only the other formats need. */
export const jsonOf =
  <Row>(toJson: (row: Row) => object): ReportFormat<Row> =>
  () => {
    let isFirst = true;
    return {
      head: () => Buffer.from("["),
      rows: (rows) =>
        Buffer.from(
          rows
            .map((row) => {
              const before = isFirst ? "\n" : ",\n";
              isFirst = false;
              return before + JSON.stringify(toJson(row));
            })
            .join(""),
        ),
      foot: () => Buffer.from("\n]\n"),
    };
  };

export const json = jsonOf(({ id: _id, ...row }: ReportRow) => row);

export const formatDetail = (detail: ReportRow["detail"]): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
