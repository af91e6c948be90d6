import { tenants } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { useAll } from "../../lib/api/use-all.ts";
import { ChoiceField } from "../form/fields.tsx";
import { LoadFailure } from "../feedback/loadable.tsx";

export type Present = { id: string; name: string };

type Props = Omit<ComponentProps<typeof ChoiceField>, "options"> & {
  /** Remains selectable if the list does not contain it. */
  present?: Present | undefined;
};

/** A select of all tenants; "" for none. */
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
  // An uncontrolled select shows its value only if the option exists when it mounts.
  const isKept = field.value === undefined;
  return <ChoiceField key={isKept && !data ? "none" : "all"} {...field} options={options} />;
};
