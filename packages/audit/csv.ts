import { stringify } from "csv-stringify/sync";
import { detailText, type ReportFormat } from "./format.ts";
import type { ReportRow } from "./report-row.ts";

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
