import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { OrganizationType } from "@vitaline/contract";
import type { UseFormRegisterReturn } from "react-hook-form";
import { ChoiceField } from "../../components/choice-field.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { organizationTypeNames } from "../../format/organization-types.ts";

type Name = "name" | "organizationType" | "contactEmail" | "contactPhone" | "address" | "description";
type Props = {
  field: (name: Name) => UseFormRegisterReturn & { error: string | undefined };
  /** Shown, not changed. */ isReadOnly?: boolean;
};

const types = OrganizationType.options.map((value) => ({ value, label: organizationTypeNames[value] }));

/** What an organization is called, what it is, and how its people are reached. */
export const TenantFields = ({ field, isReadOnly = false }: Props) => {
  const shown = { readOnly: isReadOnly, autoComplete: "off", ...(isReadOnly && { bg: "bg.subtle" }) };
  return (
    <>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
        <TextField label="Organization name" {...shown} {...field("name")} />
        <ChoiceField
          label="Organization type"
          options={types}
          isDisabled={isReadOnly}
          {...(isReadOnly && { bg: "bg.subtle" })}
          {...field("organizationType")}
        />
        <TextField label="Contact email" type="email" {...shown} {...field("contactEmail")} />
        <TextField label="Contact phone" type="tel" isOptional={!isReadOnly} {...shown} {...field("contactPhone")} />
      </SimpleGrid>
      <TextField label="Address" isOptional={!isReadOnly} {...shown} {...field("address")} />
      <TextAreaField label="Description" isOptional={!isReadOnly} rows={3} {...shown} {...field("description")} />
    </>
  );
};
