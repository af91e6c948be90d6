import { fhirProviders } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";

type Props = Omit<ComponentProps<typeof ChoiceField>, "options" | "label"> & { tenantId: string };

/** One of the record systems that an organization may use: the platform's and its own. */
export const ConnectionChoice = ({ tenantId, ...field }: Props) => {
  const { data, error, refresh, isRefreshing } = useApi(fhirProviders.listFhirProviders, {});
  if (!data && error !== undefined)
    return <LoadFailure what="providers" title="Failed to fetch providers" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const own = (data ?? []).filter(({ ownerTenantId }) => ownerTenantId === null || ownerTenantId === tenantId);
  const first = tenantId === "" ? "Choose an organization first" : data ? "Choose a record system" : "Loading record systems...";
  const options = own.map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (inactive)` }));
  return (
    <ChoiceField
      label="Record system"
      hint="The one in which the patient has the ID below."
      {...field}
      options={[{ value: "", label: first }, ...(tenantId === "" ? [] : options)]}
    />
  );
};
