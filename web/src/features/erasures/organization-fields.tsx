import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Skeleton } from "@chakra-ui/react/skeleton";
import type { TenantDetail } from "@vitaline/contract";
import type { ComponentProps } from "react";
import type { Loaded } from "../../lib/api/use-api.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { TextField } from "../../components/form/fields.tsx";

type Props = Omit<ComponentProps<typeof TextField>, "label" | "hint"> & {
  organization: Loaded<TenantDetail>;
  onOpenTenant: (tenantId: string) => void;
};

const DeactivateFirst = ({ name, onOpen }: { name: string; onOpen: () => void }) => (
  <Alert.Root status="warning" flexWrap="wrap" alignItems="center">
    <Alert.Content flex="1 1 16rem">
      <Alert.Title>Deactivate the organization first</Alert.Title>
      <Alert.Description overflowWrap="anywhere">{`${name} is active. Open it, press Edit, switch Active off and save. Then come back here.`}</Alert.Description>
    </Alert.Content>
    <Button size="sm" variant="outline" onClick={onOpen}>
      Open organization
    </Button>
  </Alert.Root>
);

/** A whole organization is erased only once it is deactivated, and its name typed again. */
export const OrganizationFields = ({ organization, onOpenTenant, ...field }: Props) => (
  <Loadable loaded={organization} what="the organization" skeleton={<Skeleton h="10" />}>
    {({ id, name, isActive }) =>
      isActive ? (
        <DeactivateFirst name={name} onOpen={() => onOpenTenant(id)} />
      ) : (
        <TextField label="Organization name" hint={`Type ${name} to confirm.`} autoComplete="off" {...field} />
      )
    }
  </Loadable>
);
