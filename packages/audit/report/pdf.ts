import { classNames, resultOf } from "../log/classification.ts";
import { formatDetail, type LocalTime, localTimeIn, type ReportFormat, type ReportTitle } from "./format.ts";
import { paper, pdfFile, pdfString, winAnsi, wrap } from "./pdf-document.ts";
import type { ReportRow } from "./report-row.ts";

const margin = 24;
const fontSize = 6;
const lineHeight = 7.2;
const cellGap = 4;
const tableTop = paper.height - 62;
const bottom = 34;

/**
 * Texts per cell, one line each, and widths in points; an id (26 characters), a request id (36) or a time with its offset fits on one line.
 * `isLocal`: the head also names the zone.
 */
export type PdfColumn<Row> = { name: string; isLocal?: true; width: number; of(row: Row, localTime: LocalTime): string[] };

const columns: readonly PdfColumn<ReportRow>[] = [
  { name: "Time (UTC)", isLocal: true, width: 80, of: (row, localTime) => [row.time, localTime(row.time)] },
  { name: "Class", width: 64, of: (row) => [classNames[row.class]] },
  { name: "Action", width: 74, of: (row) => [row.action] },
  { name: "Actor", width: 92, of: (row) => [row.actorKind, row.actorName, row.actorId] },
  { name: "Tenant", width: 92, of: (row) => [row.tenantName, row.tenantId] },
  { name: "Resource", width: 92, of: (row) => [row.resourceType, row.resourceId] },
  { name: "Address", width: 56, of: (row) => [row.address] },
  { name: "Result", width: 52, of: (row) => [...new Set([resultOf(row), row.code])] },
  { name: "Request", width: 116, of: (row) => [row.requestId] },
  { name: "Detail", width: 76, of: (row) => [formatDetail(row.detail)] },
];

type Lines = string[];

const aboutLine = ({ subject, start, end, timeZone, writtenAt }: ReportTitle): string =>
  `${subject} · ${start} to ${end} (${timeZone}) · written ${writtenAt}`;

const drawText = (x: number, y: number, font: "F1" | "F2", points: number, text: string): string =>
  `BT /${font} ${points} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td ${pdfString(text)} Tj ET\n`;

type Width = { width: number };
const cellsOf = (columns: readonly Width[], texts: readonly string[][]): Lines[] =>
  texts.map((parts, at) =>
    parts.flatMap((text) => (text === "" ? [] : wrap(winAnsi(text), fontSize, (columns[at]?.width ?? 0) - cellGap))),
  );
const lineCount = (cells: readonly Lines[]): number => Math.max(1, ...cells.map((lines) => lines.length));
const heightOf = (cells: readonly Lines[]): number => lineCount(cells) * lineHeight + 2;
const splitRow = (cells: Lines[], maxLineCount: number): Lines[][] =>
  Array.from({ length: Math.ceil(lineCount(cells) / maxLineCount) }, (_, at) =>
    cells.map((lines) => lines.slice(at * maxLineCount, (at + 1) * maxLineCount)),
  );
const drawRow = (columns: readonly Width[], cells: readonly Lines[], top: number, font: "F1" | "F2"): string => {
  let x = margin;
  return cells
    .map((lines, column) => {
      const left = x;
      x += columns[column]?.width ?? 0;
      return lines.map((line, at) => drawText(left, top - (at + 1) * lineHeight, font, fontSize, line)).join("");
    })
    .join("");
};
const horizontalLine = (y: number): string => `0.4 w ${margin} ${y.toFixed(2)} m ${paper.width - margin} ${y.toFixed(2)} l S\n`;

/** A table with the title, column names and page number on every page. Long texts wrap and are never cut. */
export const pdfOf =
  <Row>(name: string, columns: readonly PdfColumn<Row>[]): ReportFormat<Row> =>
  (title) => {
    const about = aboutLine(title);
    const localTime = localTimeIn(title);
    const file = pdfFile(pdfString(winAnsi(`${name}: ${about}`)));
    const names = cellsOf(
      columns,
      columns.map((column) => (column.isLocal ? [column.name, title.timeZone] : [column.name])),
    );
    const firstTop = tableTop - heightOf(names) - 2;
    const maxLines = Math.floor((firstTop - bottom - 2) / lineHeight);
    let pageNumber = 0;
    let content = "";
    let top = firstTop;

    const finishPage = (): Buffer => {
      pageNumber += 1;
      const head =
        drawText(margin, paper.height - 36, "F2", 13, winAnsi(name)) +
        drawText(margin, paper.height - 50, "F1", 8, winAnsi(about)) +
        drawRow(columns, names, tableTop, "F2") +
        horizontalLine(firstTop + 1);
      const foot = drawText(paper.width - margin - 40, 20, "F1", 8, winAnsi(`Page ${pageNumber}`));
      const page = file.page(head + content + foot);
      content = "";
      top = firstTop;
      return page;
    };
    return {
      head: () => file.head(),
      rows(rows) {
        const done: Buffer[] = [];
        for (const row of rows) {
          for (const cells of splitRow(
            cellsOf(
              columns,
              columns.map(({ of }) => of(row, localTime)),
            ),
            maxLines,
          )) {
            if (content !== "" && top - heightOf(cells) < bottom) done.push(finishPage());
            content += drawRow(columns, cells, top, "F1");
            top -= heightOf(cells);
          }
        }
        return Buffer.concat(done);
      },
      foot: () => Buffer.concat([finishPage(), file.foot()]),
    };
  };

export const pdf = pdfOf("Audit report", columns);
