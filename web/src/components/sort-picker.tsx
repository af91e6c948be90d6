import { Box } from "@chakra-ui/react/box";
import { Picker } from "./picker.tsx";

type Props = {
  value: string;
  onPick: (value: string) => void;
  /** The order in which the list comes. */ ownOrder: string;
  /** The columns' titles by their names in the address. */ titles: Readonly<Record<string, string>>;
};

/** The order of a wide table's rows where they are cards, without titles to press. */
export const SortPicker = ({ value, onPick, ownOrder, titles }: Props) => (
  <Box hideFrom="lg">
    <Picker
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
