import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { type ColumnSort, SortButton } from "./sorting.tsx";
import { useIsTooWide } from "../../lib/dom/scroll.ts";
import { opening } from "./open-row.ts";
import { rowSpace } from "./row-list.tsx";

/** Each row becomes a card whose lines show the column titles. The roles keep it a table for screen readers. */
const asCards = {
  "& thead": { position: "absolute", w: "1px", h: "1px", overflow: "hidden", clipPath: "inset(50%)" },
  "&, & tr": { display: "block" },
  "& tbody": { display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 19rem), 1fr))", columnGap: "10" },
  "& tbody tr": { py: "3", minW: "0" },
  "& td": {
    display: "flex",
    justifyContent: "space-between",
    alignItems: "baseline",
    gap: "4",
    px: "0",
    py: "1",
    textAlign: "end",
    minW: "0",
    overflowWrap: "anywhere",
  },
  "& td[data-title]:not([data-title=''])::before": { content: "attr(data-title)", color: "fg.muted", flexShrink: "0", textAlign: "start" },
} as const;

/** Breakable columns keep the width of a word. If the columns still do not fit, the last one, with its buttons, stays visible. */
const asTable = {
  "& :is(th, td)": { px: { base: "2", xl: "3" }, py: rowSpace, textAlign: "start", verticalAlign: "baseline" },
  "& td:not([data-numeric])": { minW: "28" },
  "& :is(th, td):first-of-type": { ps: "0" },
  "& [data-last]": { pe: "0" },
  "& [data-numeric]": { textAlign: "end" },
  "&[data-too-wide] [data-last]": {
    position: "sticky",
    insetEnd: "0",
    bg: "bg.panel",
    boxShadow: "inset 1px 0 {colors.border}",
  },
} as const;

/** The columns' cells share tracks, and the line stands across all of them. */
const withLine = (columns: number) => ({
  "&": { display: "grid", gridTemplateColumns: `repeat(${columns}, auto)` },
  "& :is(thead, tbody, tr)": { display: "grid", gridColumn: "1 / -1", gridTemplateColumns: "subgrid", alignItems: "baseline" },
  "& tbody td": { pb: "0" },
  "& tbody td[data-line]": { gridColumn: "1 / -1", px: "0", pt: "1", pb: rowSpace },
});
const lineInCard = { "& td[data-line]": { display: "block", textAlign: "start" } } as const;
const hiddenTitle = { position: "absolute", w: "1px", h: "1px", overflow: "hidden", clipPath: "inset(50%)" } as const;

type Shape = { isNumeric?: boolean };

/** The number of text columns that fit on a tablet. A numeric column counts as half. */
const mostOnTablet = 5;

/** Cards on a phone, and on a tablet if the columns do not fit. */
const formsFor = (columns: readonly Shape[], hasLine: boolean) => {
  const room = columns.reduce((sum, { isNumeric = false }) => sum + (isNumeric ? 0.5 : 1), 0);
  const cards = hasLine ? { ...asCards, ...lineInCard } : asCards;
  const table = hasLine ? { ...asTable, ...withLine(columns.length) } : asTable;
  return room > mostOnTablet ? { lgDown: cards, lg: table } : { mdDown: cards, md: table };
};

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Aligns the column at its end. */
  isNumeric?: boolean;
  sort?: ColumnSort;
};

type Props<Row> = {
  /** Read by screen readers before the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** A second line of each row, across all columns. */
  line?: { title: string; cell: (row: Row) => ReactNode };
  /** The whole row opens, by a press or by Enter; arrow keys move from row to row. */
  onOpen?: (row: Row) => void;
};

/** A table that scrolls horizontally only when it does not fit, and only then takes the focus. */
export const DataTable = <Row,>({ caption, columns, rows, keyOf, line, onOpen }: Props<Row>) => {
  const { frame, isTooWide } = useIsTooWide();
  return (
    <chakra.div
      ref={frame}
      overflowX="auto"
      outline="0"
      focusVisibleRing="outside"
      borderRadius="l1"
      {...(isTooWide && { role: "group", "aria-label": caption, tabIndex: 0 })}
    >
      <chakra.table
        role="table"
        data-too-wide={isTooWide || undefined}
        w="full"
        textStyle="sm"
        fontVariantNumeric="tabular-nums"
        css={{
          "& tbody tr": { borderTopWidth: "1px", borderColor: "border.muted" },
          "& th": { color: "fg.muted", fontWeight: "semibold", whiteSpace: "nowrap" },
          ...formsFor(columns, line !== undefined),
        }}
      >
        <chakra.caption srOnly>{caption}</chakra.caption>
        <chakra.thead role="rowgroup">
          <chakra.tr role="row">
            {columns.map(({ title, isNumeric, sort }, at) => (
              <chakra.th
                key={title}
                role="columnheader"
                scope="col"
                data-numeric={isNumeric || undefined}
                data-last={at === columns.length - 1 || undefined}
                aria-sort={sort && (sort.direction ?? "none")}
              >
                {sort ? <SortButton title={title} sort={sort} /> : title}
              </chakra.th>
            ))}
            {line === undefined ? null : (
              <chakra.th role="columnheader" scope="col" css={hiddenTitle}>
                {line.title}
              </chakra.th>
            )}
          </chakra.tr>
        </chakra.thead>
        <chakra.tbody role="rowgroup">
          {rows.map((row) => (
            <chakra.tr key={keyOf(row)} role="row" {...(onOpen && opening(() => onOpen(row)))}>
              {columns.map(({ title, cell, isNumeric }, at) => (
                <chakra.td
                  key={title}
                  role="cell"
                  data-title={title}
                  data-numeric={isNumeric || undefined}
                  data-last={at === columns.length - 1 || undefined}
                >
                  {cell(row)}
                </chakra.td>
              ))}
              {line === undefined ? null : (
                <chakra.td role="cell" data-line>
                  {line.cell(row)}
                </chakra.td>
              )}
            </chakra.tr>
          ))}
        </chakra.tbody>
      </chakra.table>
    </chakra.div>
  );
};
