import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { Role, UserAccess } from "@vitaline/contract";
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { roleNames } from "../../lib/session/areas.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { AccessField } from "../../components/tenants/access-field.tsx";
import { type Present, TenantChoice } from "../../components/tenants/tenant-choice.tsx";

type Name = "email" | "firstName" | "lastName" | "role" | "tenantId" | "access";
type Props = {
  field: (name: Name) => UseFormRegisterReturn & { error: string | undefined };
  role: Role | undefined;
  access: UserAccess | undefined;
  isNew?: boolean;
  clearTenant: () => void;
  present?: Present | undefined;
  children?: ReactNode;
};

const roles = (["tenant_admin", "system_admin"] as const).map((value) => ({ value, label: roleNames[value] }));

export const UserFields = ({ field, role, access, isNew = false, clearTenant, present, children }: Props) => {
  const { onChange, ...roleField } = field("role");
  return (
    <>
      <TextField label="Email" type="email" autoComplete="off" {...field("email")} />
      {children}
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        <TextField label="First name" isOptional autoComplete="off" {...field("firstName")} />
        <TextField label="Last name" isOptional autoComplete="off" {...field("lastName")} />
      </SimpleGrid>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
        <ChoiceField
          label="Role"
          options={roles}
          {...roleField}
          onChange={(event) => {
            if (event.target.value === "system_admin") clearTenant();
            return onChange(event);
          }}
        />
        {role === "tenant_admin" ? <TenantChoice label="Tenant" present={present} {...field("tenantId")} /> : null}
      </SimpleGrid>
      {role === "tenant_admin" ? <AccessField access={access} isNew={isNew} {...field("access")} /> : null}
    </>
  );
};
