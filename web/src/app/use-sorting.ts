import type { ColumnSort } from "../components/sort-button.tsx";
import { inOrder, readOrder, type SortValues, writeOrder } from "./sorting.ts";
import { useSearchValue } from "./search-value.ts";

/** The order of a table's rows, in the address as ?sort=name or, from the end, ?sort=-name. */
export const useSorting = <Row, Name extends string>(values: SortValues<Row, Name>) => {
  const [text, setText] = useSearchValue("sort");
  const order = readOrder(text, Object.keys(values) as Name[]);
  return {
    isSorted: order !== undefined,
    sorted: (rows: readonly Row[]): readonly Row[] => inOrder(rows, values, order),
    /** What the column of this name is given. */
    columnSort: (name: Name): ColumnSort => {
      const direction = order?.name === name ? order.direction : undefined;
      return { direction, onSort: () => setText(writeOrder({ name, direction: direction === "ascending" ? "descending" : "ascending" })) };
    },
    /** What a SortPicker is given, for phones. */
    picker: { value: order ? writeOrder(order) : "", onPick: (value: string) => setText(value || undefined) },
  };
};
