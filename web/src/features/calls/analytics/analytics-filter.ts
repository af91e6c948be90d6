import { Id } from "@vitaline/contract";
import { useSearchValue } from "../../../lib/routing/search-params.ts";
import { type PageRange, usePageRange } from "../page-range.ts";

export type AnalyticsFilter = { range: PageRange; officeId: string | undefined };

/** Reads the filter from the URL; missing or invalid values become the defaults. */
export const useAnalyticsFilter = () => {
  const range = usePageRange();
  const [office, setOffice] = useSearchValue("office");
  const filter: AnalyticsFilter = { range, officeId: Id.safeParse(office).data };
  return { filter, setOffice: (chosen: string) => setOffice(chosen || undefined) };
};
