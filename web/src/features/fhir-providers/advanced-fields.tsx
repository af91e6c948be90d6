import { Stack } from "@chakra-ui/react/stack";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { TextAreaField } from "../../components/form/fields.tsx";
import type { ProviderFieldsProps } from "./provider-fields.ts";

export const AdvancedFields = ({ field }: ProviderFieldsProps) => {
  const { error: _never, ...isActive } = field("isActive");
  return (
    <Stack gap="5">
      <TextAreaField label="Description" rows={4} isOptional {...field("description")} />
      <SwitchField label="Enable provider" hint="Voice agents reach a record system only while it is enabled." {...isActive} />
    </Stack>
  );
};
