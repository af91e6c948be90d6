import { tenants } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { useAll } from "../api/use-all.ts";
import { ChoiceField } from "./choice-field.tsx";
import { LoadFailure } from "./load-failure.tsx";

/** One of all organizations, by their names; "" while none is chosen. */
export const TenantChoice = (field: Omit<ComponentProps<typeof ChoiceField>, "options">) => {
  const { data, error, refresh, isRefreshing } = useAll(tenants.listTenants, {});
  if (!data && error !== undefined)
    return <LoadFailure what="tenants" title="Failed to fetch tenants" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const names = (data ?? []).map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (inactive)` }));
  const options = [
    { value: "", label: data ? "Choose a tenant" : "Loading tenants..." },
    ...names.toSorted((a, b) => a.label.localeCompare(b.label, "en-US")),
  ];
  // A choice that is made already shows once its option is there, also where a form keeps it.
  return <ChoiceField key={data ? "all" : "none"} {...field} options={options} />;
};
