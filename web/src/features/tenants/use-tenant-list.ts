import { type Tenant, tenants } from "@vitaline/contract";
import { usePages } from "../../lib/api/use-pages.ts";
import { useRest } from "../../lib/api/use-all.ts";
import { useSearchText, useSearchValue, useSearchValues } from "../../lib/routing/search-params.ts";
import { useSorting } from "../../components/table/sorting.tsx";
import { hasWords, organizationTypeNames } from "../../lib/format/labels.ts";

const statusOf = ({ isActive }: Tenant): "Active" | "Inactive" => (isActive ? "Active" : "Inactive");

const values = {
  name: ({ name }: Tenant) => name,
  type: ({ organizationType }: Tenant) => organizationTypeNames[organizationType],
  email: ({ contactEmail }: Tenant) => contactEmail,
  status: statusOf,
  created: ({ createdAt }: Tenant) => createdAt,
};

/** The search and the order are kept in the address. */
export const useTenantList = () => {
  const pages = usePages(tenants.listTenants, {});
  const [typed, setTyped] = useSearchText("q");
  const [named, setStatus] = useSearchValue("status");
  const { replace } = useSearchValues();
  const sorting = useSorting(values);
  const status = isStatus(named) ? named : undefined;
  const isNarrowed = typed.trim() !== "" || status !== undefined;
  // Searching and sorting need the complete list.
  useRest(pages, isNarrowed || sorting.isSorted);
  const isWanted = (tenant: Tenant) => matchesSearch(tenant, typed) && (status === undefined || tenant.isActive === (status === "active"));
  return {
    pages,
    found: sorting.sorted((pages.data ?? []).filter(isWanted)),
    typed,
    status,
    isNarrowed,
    search: setTyped,
    pickStatus: (text: string) => setStatus(text || undefined),
    clear: () => {
      setTyped("");
      // One call, after the search text: two changes of the address at the same moment would overwrite each other.
      replace({ q: undefined, status: undefined });
    },
    ...sorting,
  };
};

const isStatus = (text: string | undefined): text is "active" | "inactive" => text === "active" || text === "inactive";

export const matchesSearch = ({ name, organizationType, contactEmail }: Tenant, typed: string): boolean =>
  hasWords([name, organizationTypeNames[organizationType], contactEmail], typed);

export type SortedBy = keyof typeof values;
