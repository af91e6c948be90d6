import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { OrganizationType } from "@vitaline/contract";
import type { UseFormRegisterReturn } from "react-hook-form";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { organizationTypeNames } from "../../lib/format/labels.ts";

type Name = "name" | "organizationType" | "contactEmail" | "contactPhone" | "address" | "description";
type Props = { field: (name: Name) => UseFormRegisterReturn & { error: string | undefined } };
const types = OrganizationType.options.map((value) => ({ value, label: organizationTypeNames[value] }));

export const TenantFields = ({ field }: Props) => (
  <>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
      <TextField label="Organization name" autoComplete="off" {...field("name")} />
      <ChoiceField label="Organization type" options={types} {...field("organizationType")} />
      <TextField label="Contact email" type="email" autoComplete="off" {...field("contactEmail")} />
      <TextField label="Contact phone" type="tel" isOptional autoComplete="off" {...field("contactPhone")} />
    </SimpleGrid>
    <TextField label="Address" isOptional autoComplete="off" {...field("address")} />
    <TextAreaField label="Description" isOptional rows={3} autoComplete="off" {...field("description")} />
  </>
);

export const requiredMessages = { name: "Organization name is required", contactEmail: "Contact email is required" };
