import { useSearchParams } from "react-router-dom";
import { newOffice } from "../offices/use-office-place.ts";

export const tenantParts = [
  { value: "details", label: "Details" },
  { value: "offices", label: "Offices" },
  { value: "api", label: "API & Security" },
  { value: "preferences", label: "Preferences" },
] as const;
export type TenantPart = (typeof tenantParts)[number]["value"];

const isId = (text: string | null): text is string => text !== null && /^[0-9a-z]{26}$/.test(text);

/** The organization that the address says is open, at which part, and which of its offices. The list's search and order stay. */
export const useTenantPlace = () => {
  const [search, setSearch] = useSearchParams();
  const [asked, tenant, office] = [search.get("part"), search.get("tenant"), search.get("office")];
  const go = (values: Record<string, string | undefined>, replace: boolean): void =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value === undefined) after.delete(name);
          else after.set(name, value);
        return after;
      },
      { replace },
    );
  return {
    /** undefined: none. */
    tenantId: isId(tenant) ? tenant : undefined,
    part: tenantParts.find(({ value }) => value === asked)?.value ?? "details",
    officeId: office === newOffice || isId(office) ? office : undefined,
    open: (tenantId: string) => go({ tenant: tenantId, part: undefined, office: undefined }, false),
    show: (part: string) => go({ part, office: undefined }, true),
    openOffice: (officeId: string) => go({ part: "offices", office: officeId }, false),
    /** In place of the open one, so that going back does not open it again. */
    closeOffice: () => go({ office: undefined }, true),
    close: () => go({ tenant: undefined, part: undefined, office: undefined }, true),
  };
};
