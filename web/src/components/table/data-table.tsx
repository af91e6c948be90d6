import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { type ColumnSort, SortButton } from "./sorting.tsx";
import { useIsTooWide } from "../../lib/dom/scroll.ts";

/** Each row is a card, as many beside each other as there is room for. Its lines bear the columns' titles; the roles keep it a table to screen readers. */
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

/** What may break anywhere keeps the room for a word; when the columns still do not fit, the last one, with its buttons, stays in sight. */
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

/** Text columns that a tablet has room for; one of numbers takes half of it. */
const mostOnTablet = 5;

/** Cards on a phone; also on a tablet if there are more columns than it has room for. */
const formsFor = (columns: readonly Shape[]) => {
  const room = columns.reduce((sum, { isNumeric = false }) => sum + (isNumeric ? 0.5 : 1), 0);
  return room > mostOnTablet ? { lgDown: asCards, lg: asTable } : { mdDown: asCards, md: asTable };
};

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */ isNumeric?: boolean;
  /** The rows can be put into its order. */ sort?: ColumnSort;
};

type Props<Row> = {
  /** Said by screen readers before the table. */ caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** Rows of one kind. Where they do not fit they scroll sideways by themselves, and only then the keyboard stops there. */
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
