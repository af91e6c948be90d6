import fc from "fast-check";
import { expect, test } from "vitest";
import { auditClasses, classNames } from "../log/classification.ts";
import { csv, json, type ReportFormat } from "./format.ts";
import { pdf } from "./pdf.ts";
import { textsOfPdf } from "./pdf.fixture.ts";
import type { ReportRow } from "./report-row.ts";

const title = { subject: "Sunrise Clinic", start: "2026-01-01", end: "2026-01-31", timeZone: "UTC", writtenAt: "2026-02-01T08:00:00.000Z" };
const row = (change: Partial<ReportRow> = {}): ReportRow => ({
  time: "2026-01-05T10:11:12.123Z",
  class: "admin_action",
  action: "office.create",
  actorKind: "user",
  actorId: "01kc0000000000000000000001",
  actorName: "Rita Rivers",
  tenantId: "01kc0000000000000000000002",
  tenantName: "Sunrise Clinic",
  resourceType: "Office",
  resourceId: "01kc0000000000000000000003",
  address: "203.0.113.7",
  success: true,
  code: "",
  requestId: "7d0e7a4c-3a53-4c3d-9d3f-0a4f5f6e7d8c",
  detail: { name: "x", count: 2 },
  id: "1",
  ...change,
});
/** Written in pieces, like a report. */
const written = (format: ReportFormat, rows: readonly ReportRow[], perPiece = 3, timeZone = "UTC"): Buffer => {
  const writer = format({ ...title, timeZone });
  const pieces = [writer.head()];
  for (let at = 0; at < rows.length; at += perPiece) pieces.push(writer.rows(rows.slice(at, at + perPiece)));
  return Buffer.concat([...pieces, writer.foot()]);
};

/** Parses CSV by the grammar of RFC 4180. */
const cellsOf = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const [, quoted, bare = "", end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error("Not CSV");
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
};

test("csv: spreadsheet formulas are escaped, and every text is complete", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("=1+1", "+x", "-x", "@x", "\tx", "\rx", 'a"b', "a,b", "a\r\nb"))),
      (texts) => {
        const records = cellsOf(
          written(
            csv,
            texts.map((action) => row({ action })),
          ).toString(),
        );
        expect(records).toHaveLength(texts.length + 1);
        for (const [at, text] of texts.entries()) {
          const cell = records[at + 1]?.[2] ?? "";
          expect(cell).not.toMatch(/^[=+\-@\t\r]/);
          expect([text, `'${text}`]).toContain(cell);
        }
      },
    ),
  );
});

test("csv: a header line, then sixteen cells a row", () => {
  const [head, first] = cellsOf(written(csv, [row()]).toString());
  expect(head?.join("|")).toBe(
    "Time (UTC)|Class|Action|Actor kind|Actor|Tenant|Resource type|Resource|Address|Success|Code|Request|Detail|Actor name|Tenant name|Local time (UTC)",
  );
  expect(first?.join("|")).toBe(
    "2026-01-05T10:11:12.123Z|admin_action|office.create|user|01kc0000000000000000000001|01kc0000000000000000000002|Office|01kc0000000000000000000003|203.0.113.7|true||7d0e7a4c-3a53-4c3d-9d3f-0a4f5f6e7d8c|name=x; count=2|Rita Rivers|Sunrise Clinic|2026-01-05 10:11:12+00:00",
  );
});

test("each event has its time in the zone of the report, which the file names, beside UTC, also in the hour that a clock change repeats", () => {
  const zone = "America/New_York";
  const rows = ["2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z", "2026-12-01T03:00:00.000Z"].map((time) => row({ time }));
  const local = ["2026-11-01 01:30:00-04:00", "2026-11-01 01:30:00-05:00", "2026-11-30 22:00:00-05:00"];
  const [head, ...lines] = cellsOf(written(csv, rows, 3, zone).toString());
  expect(head?.at(-1)).toBe(`Local time (${zone})`);
  expect(lines.map((cells) => [cells[0], cells.at(-1)])).toEqual(rows.map(({ time }, at) => [time, local[at]]));
  const read = JSON.parse(written(json, rows, 3, zone).toString()) as (ReportRow & { localTime: string; timeZone: string })[];
  expect(read.map(({ time, localTime, timeZone }) => [time, localTime, timeZone])).toEqual(
    rows.map(({ time }, at) => [time, local[at], zone]),
  );
  const texts = textsOfPdf(written(pdf, rows, 3, zone)).flat();
  expect(texts.filter((text) => /^2026-1[12]-\d\d[ T]/.test(text))).toEqual(rows.flatMap(({ time }, at) => [time, local[at]]));
  expect(texts).toContain(zone);
});

test("an emergency is neither a success nor a failure in csv and pdf", () => {
  const rows = [row({ success: false, code: "emergency" }), row({ success: false, code: "ehr_timeout" })];
  const [, emergency, failed] = cellsOf(written(csv, rows).toString());
  expect([emergency?.slice(9, 11), failed?.slice(9, 11)]).toEqual([
    ["", "emergency"],
    ["false", "ehr_timeout"],
  ]);
  const texts = textsOfPdf(written(pdf, rows)).flat();
  expect(texts.filter((text) => ["success", "failure", "emergency", "ehr_timeout"].includes(text))).toEqual([
    "emergency",
    "failure",
    "ehr_timeout",
  ]);
});

test("json: one array of the rows, even without rows", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const read = JSON.parse(
        written(
          json,
          texts.map((action) => row({ action })),
        ).toString(),
      ) as ReportRow[];
      expect(read.map(({ action }) => action)).toEqual(texts);
      for (const each of read) expect(each).not.toHaveProperty("id");
    }),
  );
});

test("pdf: each page has the title and its number, and no row is lost between pages", () => {
  const rows = Array.from({ length: 500 }, (_, at) => row({ action: `office.change${at}`, class: auditClasses[at % 6] ?? "login" }));
  const pages = textsOfPdf(written(pdf, rows, 7));
  expect(pages.length).toBeGreaterThan(10);
  for (const [at, texts] of pages.entries()) {
    expect(texts).toEqual(expect.arrayContaining(["Audit report", "Time (UTC)", "Detail", `Page ${at + 1}`]));
    expect(texts[1]).toBe("Sunrise Clinic · 2026-01-01 to 2026-01-31 (UTC) · written 2026-02-01T08:00:00.000Z");
  }
  const all = pages.flat();
  expect(all.filter((text) => text.startsWith("office.change"))).toEqual(rows.map(({ action }) => action));
  for (const name of Object.values(classNames)) expect(all).toContain(name);
  for (const whole of [rows[0]?.time, rows[0]?.actorId, rows[0]?.tenantId, rows[0]?.resourceId, rows[0]?.requestId])
    expect(all).toContain(whole);
});

test("pdf: a long text wraps to the next lines and pages; unsupported characters become question marks", () => {
  const long = Array.from({ length: 1500 }, (_, at) => `w${at}`).join(" ");
  const texts = textsOfPdf(written(pdf, [row({ detail: { long, odd: "Grüße (€) \\ 東京 \u0000" } })])).flat();
  const joined = texts.join("").replaceAll(/\s/g, "");
  expect(joined).toContain("odd=Grüße(€)\\???");
  for (const word of ["w0", "w700", "w1499"]) expect(joined).toContain(word);
});

test("pdf: a report without rows is one page with the title", () => {
  expect(textsOfPdf(written(pdf, []))).toHaveLength(1);
});
