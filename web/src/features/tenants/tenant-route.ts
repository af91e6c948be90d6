import { isRecordId, useSearchValues } from "../../lib/routing/search-params.ts";
import { newOffice } from "../offices/office-route.ts";

export const tenantParts = [
  { value: "details", label: "Details" },
  { value: "offices", label: "Offices" },
  { value: "api", label: "API & Security" },
  { value: "preferences", label: "Preferences" },
] as const;
export type TenantPart = (typeof tenantParts)[number]["value"];

/** The open tenant, its tab and its office, from the address. The list's search and order stay. */
export const useTenantRoute = () => {
  const { search, go, replace } = useSearchValues();
  const [asked, tenant, office] = [search.get("part"), search.get("tenant"), search.get("office")];
  return {
    tenantId: isRecordId(tenant) ? tenant : undefined,
    part: tenantParts.find(({ value }) => value === asked)?.value ?? "details",
    officeId: office === newOffice || isRecordId(office) ? office : undefined,
    open: (tenantId: string) => go({ tenant: tenantId, part: undefined, office: undefined }),
    show: (part: string) => replace({ part, office: undefined }),
    openOffice: (officeId: string) => go({ part: "offices", office: officeId }),
    /** Replaces the history entry: Back does not open the dialog again. */
    closeOffice: () => replace({ office: undefined }),
    close: () => replace({ tenant: undefined, part: undefined, office: undefined }),
  };
};

export type Opening = "view" | "edit";
