import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { type ColumnSort, SortButton } from "./sort-button.tsx";
import { formsFor } from "./table-forms.ts";
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
