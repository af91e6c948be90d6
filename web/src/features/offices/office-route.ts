import { useSearchParams } from "react-router-dom";
import { isRecordId } from "../../lib/routing/search-params.ts";

/** The tabs that are saved together. */
export const formParts = ["details", "hours", "facts", "routing", "messages"] as const;
const officeParts = [...formParts, "agents", "record-system", "calendar"] as const;
export type OfficePart = (typeof officeParts)[number];

/** The office id of an office that is not saved yet. */
export const newOffice = "new";

export const officeAddress = (officeId: string, part: OfficePart = "details"): string =>
  `?${new URLSearchParams({ tab: "offices", office: officeId, part }).toString()}`;

export const analyticsAddress = (officeId: string): string => `?${new URLSearchParams({ tab: "analytics", office: officeId }).toString()}`;

/** The open office and its tab, from the address. */
export const useOfficeRoute = () => {
  const [search, setSearch] = useSearchParams();
  const [asked, office] = [search.get("part"), search.get("office") ?? ""];
  return {
    officeId: office === newOffice || isRecordId(office) ? office : undefined,
    part: officeParts.find((part) => part === asked) ?? "details",
    open: (officeId: string) => setSearch({ tab: "offices", office: officeId }),
    show: (part: string) => setSearch({ tab: "offices", office, part }, { replace: true }),
    /** Replaces the history entry: Back does not open the dialog again. */
    close: () => setSearch({ tab: "offices" }, { replace: true }),
  };
};
