import { chakra } from "@chakra-ui/react/styled-system";
import ArrowDown from "lucide-react/dist/esm/icons/arrow-down.mjs";
import ArrowUp from "lucide-react/dist/esm/icons/arrow-up.mjs";
import ArrowUpDown from "lucide-react/dist/esm/icons/arrow-up-down.mjs";
import { Box } from "@chakra-ui/react/box";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { InlineSelect } from "../form/inline-select.tsx";

type Props = {
  value: string;
  onPick: (value: string) => void;
  /** The label of the initial order. */
  ownOrder: string;
  /** Column titles by their names in the address. */
  titles: Readonly<Record<string, string>>;
};

/** Sorts a table that is displayed as cards. */
export const SortPicker = ({ value, onPick, ownOrder, titles }: Props) => (
  <Box hideFrom="lg">
    <InlineSelect
      label="Sort by"
      value={value}
      onPick={onPick}
      options={[
        ["", ownOrder],
        ...Object.entries(titles).flatMap(([name, title]) => [
          [name, `${title}, first to last`] as const,
          [`-${name}`, `${title}, last to first`] as const,
        ]),
      ]}
    />
  </Box>
);

/** `direction` is undefined for a table sorted by another column. */
export type ColumnSort = { direction: "ascending" | "descending" | undefined; onSort: () => void };

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** A column title that sorts the table. Cards have no such titles. */
export const SortButton = ({ title, sort: { direction, onSort } }: { title: string; sort: ColumnSort }) => {
  const Icon = icons[direction ?? "none"];
  return (
    <>
      <chakra.span hideFrom="lg">{title}</chakra.span>
      <chakra.button
        type="button"
        onClick={onSort}
        display={{ base: "none", lg: "inline-flex" }}
        alignItems="center"
        gap="1"
        minH="6"
        fontWeight="inherit"
        color={direction ? "fg" : "inherit"}
        cursor="button"
        borderRadius="l1"
        outline="0"
        focusVisibleRing="outside"
        _hover={{ color: "fg" }}
      >
        {title}
        <Icon width={14} height={14} aria-hidden />
      </chakra.button>
    </>
  );
};

type Direction = "ascending" | "descending";
/** The value to compare, by the column's name in the address. */
type SortValues<Row, Name extends string> = Readonly<Record<Name, (row: Row) => string>>;
type Order<Name extends string> = { name: Name; direction: Direction };

const collator = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

/** "email", or "-email" for descending; undefined for an unknown column. */
export const readOrder = <Name extends string>(text: string | undefined, names: readonly Name[]): Order<Name> | undefined => {
  const isDescending = text?.startsWith("-") ?? false;
  const name = names.find((one) => one === (isDescending ? text?.slice(1) : text));
  return name && { name, direction: isDescending ? "descending" : "ascending" };
};

export const writeOrder = <Name extends string>({ name, direction }: Order<Name>): string =>
  direction === "descending" ? `-${name}` : name;

/** A stable sort. */
export const inOrder = <Row, Name extends string>(
  rows: readonly Row[],
  values: SortValues<Row, Name>,
  order: Order<Name> | undefined,
): readonly Row[] => {
  if (!order) return rows;
  const valueOf = values[order.name];
  const sign = order.direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => sign * collator.compare(valueOf(a), valueOf(b)));
};

/** Keeps a table's order in the address, as ?sort=name or ?sort=-name. */
export const useSorting = <Row, Name extends string>(values: SortValues<Row, Name>) => {
  const [text, setText] = useSearchValue("sort");
  const order = readOrder(text, Object.keys(values) as Name[]);
  return {
    isSorted: order !== undefined,
    sorted: (rows: readonly Row[]): readonly Row[] => inOrder(rows, values, order),
    columnSort: (name: Name): ColumnSort => {
      const direction = order?.name === name ? order.direction : undefined;
      return { direction, onSort: () => setText(writeOrder({ name, direction: direction === "ascending" ? "descending" : "ascending" })) };
    },
    picker: { value: order ? writeOrder(order) : "", onPick: (value: string) => setText(value || undefined) },
  };
};
