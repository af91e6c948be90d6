import { useSearchParams } from "react-router-dom";
import { isRecordId } from "../../lib/routing/search-params.ts";

/** What is saved together. */
export const formParts = ["details", "hours", "routing", "messages"] as const;
const officeParts = [...formParts, "agents", "record-system", "calendar"] as const;
export type OfficePart = (typeof officeParts)[number];

/** Stands where an office's id does while it is not added yet. */
export const newOffice = "new";

/** Where a part of an office is set, as an address on this page. */
export const officeAddress = (officeId: string, part: OfficePart = "details"): string =>
  `?${new URLSearchParams({ tab: "offices", office: officeId, part }).toString()}`;

/** The calls of one office, on the tab that counts them. */
export const analyticsAddress = (officeId: string): string => `?${new URLSearchParams({ tab: "analytics", office: officeId }).toString()}`;

/** The office that the address says is open, and at which part. */
export const useOfficePlace = () => {
  const [search, setSearch] = useSearchParams();
  const [asked, office] = [search.get("part"), search.get("office") ?? ""];
  return {
    /** undefined: none. */
    officeId: office === newOffice || isRecordId(office) ? office : undefined,
    part: officeParts.find((part) => part === asked) ?? "details",
    open: (officeId: string) => setSearch({ tab: "offices", office: officeId }),
    show: (part: string) => setSearch({ tab: "offices", office, part }, { replace: true }),
    /** In place of the open one, so that going back does not open it again. */
    close: () => setSearch({ tab: "offices" }, { replace: true }),
  };
};
