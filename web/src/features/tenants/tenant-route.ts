import { isRecordId, useSearchValues } from "../../lib/routing/search-params.ts";
import { newOffice } from "../offices/office-route.ts";

export const tenantParts = [
  { value: "details", label: "Details" },
  { value: "offices", label: "Offices" },
  { value: "api", label: "API & Security" },
  { value: "preferences", label: "Preferences" },
] as const;
export type TenantPart = (typeof tenantParts)[number]["value"];

/** The organization that the address says is open, at which part, and which of its offices. The list's search and order stay. */
export const useTenantPlace = () => {
  const { search, go, replace } = useSearchValues();
  const [asked, tenant, office] = [search.get("part"), search.get("tenant"), search.get("office")];
  return {
    /** undefined: none. */
    tenantId: isRecordId(tenant) ? tenant : undefined,
    part: tenantParts.find(({ value }) => value === asked)?.value ?? "details",
    officeId: office === newOffice || isRecordId(office) ? office : undefined,
    open: (tenantId: string) => go({ tenant: tenantId, part: undefined, office: undefined }),
    show: (part: string) => replace({ part, office: undefined }),
    openOffice: (officeId: string) => go({ part: "offices", office: officeId }),
    /** In place of the open one, so that going back does not open it again. */
    closeOffice: () => replace({ office: undefined }),
    close: () => replace({ tenant: undefined, part: undefined, office: undefined }),
  };
};

export type Opening = "view" | "edit";
