import { NativeSelect } from "@chakra-ui/react/native-select";
import type { ComponentPropsWithRef } from "react";
import { LabelledField, type Labels } from "./labelled-field.tsx";

type Props = Omit<ComponentPropsWithRef<typeof NativeSelect.Field>, "children"> &
  Labels & { options: readonly { value: string; label: string }[] };

/** One of a few, in the browser's own list. */
export const ChoiceField = ({ label, hint, error, isOptional, isDisabled, options, ...select }: Props) => (
  <LabelledField {...{ label, hint, error, isOptional, isDisabled }}>
    {(tied) => (
      <NativeSelect.Root>
        <NativeSelect.Field {...tied} {...select}>
          {options.map(({ value, label: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    )}
  </LabelledField>
);
