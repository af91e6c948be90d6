import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { TextField } from "../../components/form/fields.tsx";
import type { OfficeFormState } from "./use-office-form.ts";

/** What an office is called and where it is. */
export const DetailsFields = ({ office: { field, form } }: { office: OfficeFormState }) => (
  <Stack gap="5">
    <TextField label="Office name" autoComplete="off" {...field("name")} />
    <TextField label="Address" isOptional autoComplete="off" {...field("address")} />
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
      <TextField label="Phone" type="tel" isOptional autoComplete="off" {...field("phone")} />
      <TextField label="Email" type="email" isOptional autoComplete="off" {...field("email")} />
    </SimpleGrid>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
      <TextField label="Number of staff" inputMode="numeric" isOptional autoComplete="off" {...field("staffCount")} />
    </SimpleGrid>
    <SwitchField
      label="Active"
      hint="Voice agents of an office that is not active answer that the line is not in service."
      {...form.register("isActive")}
    />
  </Stack>
);
