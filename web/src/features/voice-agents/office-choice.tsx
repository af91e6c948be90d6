import { offices } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";

type Props = Omit<ComponentProps<typeof ChoiceField>, "options" | "label"> & { tenantId: string };

/** One of a tenant's offices, or "" for the tenant as a whole. */
export const OfficeChoice = ({ tenantId, ...field }: Props) => {
  const { data, error, refresh, isRefreshing } = useApi(offices.listOffices, { params: { tenantId } });
  if (!data && error !== undefined)
    return <LoadFailure what="offices" title="Failed to fetch offices" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const options = [{ value: "", label: "All offices / Tenant-level" }, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  return <ChoiceField key={data ? "all" : "none"} label="Office" isOptional {...field} options={options} />;
};
