import { NativeSelect } from "@chakra-ui/react/native-select";
import type { Ref } from "react";

type Props = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  onPick: (value: string) => void;
  ref?: Ref<HTMLSelectElement>;
};

export const InlineSelect = ({ label, value, options, onPick, ref }: Props) => (
  <NativeSelect.Root w="auto">
    <NativeSelect.Field
      ref={ref}
      aria-label={label}
      textStyle="sm"
      h="9"
      maxW="64"
      value={value}
      onChange={({ target }) => onPick(target.value)}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </NativeSelect.Field>
    <NativeSelect.Indicator />
  </NativeSelect.Root>
);
