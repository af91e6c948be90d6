import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { type ColumnSort, SortButton } from "./sorting.tsx";
import { useIsTooWide } from "../../lib/dom/scroll.ts";

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
  "& :is(th, td)": { px: { base: "2", xl: "3" }, py: "3", textAlign: "start", verticalAlign: "baseline" },
  "& td:not([data-numeric])": { minW: "28" },
  "& :is(th, td):first-of-type": { ps: "0" },
  "& :is(th, td):last-of-type": { pe: "0" },
  "& [data-numeric]": { textAlign: "end" },
  "&[data-too-wide] :is(th, td):last-of-type": {
    position: "sticky",
    insetEnd: "0",
    bg: "bg.panel",
    boxShadow: "inset 1px 0 {colors.border}",
  },
} as const;

type Shape = { isNumeric?: boolean };

/** The number of text columns that fit on a tablet. A numeric column counts as half. */
const mostOnTablet = 5;

/** Cards on a phone, and on a tablet if the columns do not fit. */
const formsFor = (columns: readonly Shape[]) => {
  const room = columns.reduce((sum, { isNumeric = false }) => sum + (isNumeric ? 0.5 : 1), 0);
  return room > mostOnTablet ? { lgDown: asCards, lg: asTable } : { mdDown: asCards, md: asTable };
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
};

/** A table that scrolls horizontally only when it does not fit, and only then takes the focus. */
export const DataTable = <Row,>({ caption, columns, rows, keyOf }: Props<Row>) => {
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
          ...formsFor(columns),
        }}
      >
        <chakra.caption srOnly>{caption}</chakra.caption>
        <chakra.thead role="rowgroup">
          <chakra.tr role="row">
            {columns.map(({ title, isNumeric, sort }) => (
              <chakra.th
                key={title}
                role="columnheader"
                scope="col"
                data-numeric={isNumeric || undefined}
                aria-sort={sort && (sort.direction ?? "none")}
              >
                {sort ? <SortButton title={title} sort={sort} /> : title}
              </chakra.th>
            ))}
          </chakra.tr>
        </chakra.thead>
        <chakra.tbody role="rowgroup">
          {rows.map((row) => (
            <chakra.tr key={keyOf(row)} role="row">
              {columns.map(({ title, cell, isNumeric }) => (
                <chakra.td key={title} role="cell" data-title={title} data-numeric={isNumeric || undefined}>
                  {cell(row)}
                </chakra.td>
              ))}
            </chakra.tr>
          ))}
        </chakra.tbody>
      </chakra.table>
    </chakra.div>
  );
};
