import { chakra } from "@chakra-ui/react/styled-system";
import ArrowDown from "lucide-react/dist/esm/icons/arrow-down.mjs";
import ArrowUp from "lucide-react/dist/esm/icons/arrow-up.mjs";
import ArrowUpDown from "lucide-react/dist/esm/icons/arrow-up-down.mjs";

/** `direction` is undefined while the rows stand in another order. */
export type ColumnSort = { direction: "ascending" | "descending" | undefined; onSort: () => void };

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** A column's title that puts the rows into its order, and turns that round. Where rows are cards, it cannot be pressed. */
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
