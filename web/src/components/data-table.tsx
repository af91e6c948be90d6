import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { type ColumnSort, SortButton } from "./sort-button.tsx";
import { useIsTooWide } from "./use-is-too-wide.ts";

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

/** On a phone each row is a card, whose lines bear the columns' titles; the roles keep it a table to screen readers. */
const onPhone = {
  "& thead": { position: "absolute", w: "1px", h: "1px", overflow: "hidden", clipPath: "inset(50%)" },
  "& :is(tbody, tr)": { display: "block" },
  "& tbody tr": { py: "3" },
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

const fromTablet = {
  "& :is(th, td)": { px: "3", py: "3", textAlign: "start", verticalAlign: "baseline" },
  "& :is(th, td):first-of-type": { ps: "0" },
  "& :is(th, td):last-of-type": { pe: "0" },
  "& [data-numeric]": { textAlign: "end" },
} as const;

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
        w="full"
        textStyle="sm"
        fontVariantNumeric="tabular-nums"
        css={{
          "& tbody tr": { borderTopWidth: "1px", borderColor: "border.muted" },
          "& th": { color: "fg.muted", fontWeight: "semibold", whiteSpace: "nowrap" },
          mdDown: onPhone,
          md: fromTablet,
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
