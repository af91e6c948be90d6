import { secondIn } from "@vitaline/core";
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

/** The time of an instant in the zone of the report; "" of none. */
export type LocalTime = (instant: string) => string;

export const localTimeIn =
  ({ timeZone }: Pick<ReportTitle, "timeZone">): LocalTime =>
  (instant) =>
    instant === "" ? "" : secondIn(timeZone, new Date(instant));

/** `isLocal`: the title also names the zone. */
export type CsvColumn<Row> = { title: string; isLocal?: true; of(row: Row, localTime: LocalTime): string };

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
  { title: "Local time", isLocal: true, of: (row, localTime) => localTime(row.time) },
];

/** RFC 4180, with spreadsheet formulas escaped by an apostrophe, and cells with a lone CR or LF quoted too. */
export const csvOf =
  <Row>(columns: readonly CsvColumn<Row>[]): ReportFormat<Row> =>
  (title) => {
    const localTime = localTimeIn(title);
    const options = { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;
    const write = (records: string[][]): Buffer => Buffer.from(stringify(records, options));
    return {
      head: () => write([columns.map((column) => (column.isLocal ? `${column.title} (${title.timeZone})` : column.title))]),
      rows: (rows) => write(rows.map((row) => columns.map(({ of }) => of(row, localTime)))),
      foot: () => Buffer.alloc(0),
    };
  };

export const csv = csvOf(columns);

/** One array. `toJson` drops what only the other formats need. */
export const jsonOf =
  <Row>(toJson: (row: Row) => object, timeOf: (row: Row) => string): ReportFormat<Row> =>
  (title) => {
    const localTime = localTimeIn(title);
    let isFirst = true;
    return {
      head: () => Buffer.from("["),
      rows: (rows) =>
        Buffer.from(
          rows
            .map((row) => {
              const before = isFirst ? "\n" : ",\n";
              isFirst = false;
              return before + JSON.stringify({ ...toJson(row), localTime: localTime(timeOf(row)), timeZone: title.timeZone });
            })
            .join(""),
        ),
      foot: () => Buffer.from("\n]\n"),
    };
  };

export const json = jsonOf(
  ({ id: _id, ...row }: ReportRow) => row,
  ({ time }) => time,
);

export const formatDetail = (detail: ReportRow["detail"]): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
