import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import type { UseFormRegisterReturn } from "react-hook-form";
import { TextField } from "../../components/form/fields.tsx";

type Name = "plan.name" | "plan.monthlyPrice" | "plan.bundledMinutes";
type Props = { field: (name: Name) => UseFormRegisterReturn & { error: string | undefined } };

/** What was agreed with an organization: all of it, or nothing. */
export const PlanFields = ({ field }: Props) => (
  <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
    <chakra.legend fontWeight="semibold" mb="3">
      Plan
    </chakra.legend>
    <SimpleGrid columns={{ base: 1, sm: 3 }} gap="5" alignItems="start">
      <TextField label="Plan name" isOptional autoComplete="off" {...field("plan.name")} />
      <TextField label="US dollars a month" inputMode="decimal" isOptional autoComplete="off" {...field("plan.monthlyPrice")} />
      <TextField label="Minutes included" inputMode="numeric" isOptional autoComplete="off" {...field("plan.bundledMinutes")} />
    </SimpleGrid>
  </chakra.fieldset>
);
