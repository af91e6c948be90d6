import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { fhirProviders, type TenantDetail } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { Loadable, LoadFailure } from "../../components/feedback/loadable.tsx";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";

type ConnectionChoiceProps = Omit<ComponentProps<typeof ChoiceField>, "options" | "label"> & { tenantId: string };

export const ConnectionChoice = ({ tenantId, ...field }: ConnectionChoiceProps) => {
  const { data, error, refresh, isRefreshing } = useApi(fhirProviders.listFhirProviders, {});
  if (!data && error !== undefined)
    return <LoadFailure what="providers" title="Failed to fetch providers" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const own = (data ?? []).filter(({ ownerTenantId }) => ownerTenantId === null || ownerTenantId === tenantId);
  const first = tenantId === "" ? "Choose an organization first" : data ? "Choose a record system" : "Loading record systems...";
  const options = own.map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (inactive)` }));
  return (
    <ChoiceField
      label="Record system"
      hint="The system in which the patient has the ID below."
      {...field}
      options={[{ value: "", label: first }, ...(tenantId === "" ? [] : options)]}
    />
  );
};

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
