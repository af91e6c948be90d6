import { type Tenant, tenants } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { usePages } from "../../api/use-pages.ts";
import { useRest } from "../../api/use-rest.ts";
import { useSearchText, useSearchValue } from "../../app/search-value.ts";
import { useSorting } from "../../app/use-sorting.ts";
import { organizationTypeNames } from "../../format/organization-types.ts";
import { isFound, isStatus, statusOf } from "./tenant-words.ts";

/** How organizations compare, column by column. */
const values = {
  name: ({ name }: Tenant) => name,
  type: ({ organizationType }: Tenant) => organizationTypeNames[organizationType],
  email: ({ contactEmail }: Tenant) => contactEmail,
  status: statusOf,
  created: ({ createdAt }: Tenant) => createdAt,
};
export type SortedBy = keyof typeof values;

/** The organizations that are looked for, in the order that is wanted; all of it stands in the address. */
export const useTenantList = () => {
  const pages = usePages(tenants.listTenants, {});
  const [typed, setTyped] = useSearchText("q");
  const [named, setStatus] = useSearchValue("status");
  const [, setSearch] = useSearchParams();
  const sorting = useSorting(values);
  const looked = typed.trim();
  const status = isStatus(named) ? named : undefined;
  const isNarrowed = looked !== "" || status !== undefined;
  // Only of a whole list can be said who is not in it, and who is first.
  useRest(pages, isNarrowed || sorting.isSorted);
  const isWanted = (tenant: Tenant) =>
    (looked === "" || isFound(tenant, looked)) && (status === undefined || tenant.isActive === (status === "active"));
  return {
    pages,
    found: sorting.sorted((pages.data ?? []).filter(isWanted)),
    typed,
    status,
    isNarrowed,
    search: setTyped,
    pickStatus: (text: string) => setStatus(text || undefined),
    /** Both at once: the address takes one change at a time. */
    clear: () => {
      setTyped("");
      setSearch((before) => new URLSearchParams([...before].filter(([name]) => name !== "q" && name !== "status")), { replace: true });
    },
    ...sorting,
  };
};
