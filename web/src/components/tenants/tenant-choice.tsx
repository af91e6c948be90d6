import { tenants } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { useAll } from "../../lib/api/use-all.ts";
import { ChoiceField } from "../form/fields.tsx";
import { LoadFailure } from "../feedback/loadable.tsx";

export type Present = { id: string; name: string };

type Props = Omit<ComponentProps<typeof ChoiceField>, "options"> & {
  /** The one that was chosen before: it can be kept also where the list lacks it. */ present?: Present | undefined;
};

/** One of all organizations, by their names; "" while none is chosen. */
export const TenantChoice = ({ present, ...field }: Props) => {
  const { data, error, refresh, isRefreshing } = useAll(tenants.listTenants, {});
  if (!data && error !== undefined)
    return <LoadFailure what="tenants" title="Failed to fetch tenants" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const names = (data ?? []).map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (inactive)` }));
  if (present && names.every(({ value }) => value !== present.id)) names.push({ value: present.id, label: present.name });
  const options = [
    { value: "", label: data ? "Choose a tenant" : "Loading tenants..." },
    ...names.toSorted((a, b) => a.label.localeCompare(b.label, "en-US")),
  ];
  // A choice that a form keeps by itself shows only in a field that begins with its option.
  const isKept = field.value === undefined;
  return <ChoiceField key={isKept && !data ? "none" : "all"} {...field} options={options} />;
};
