import { type ChartRange, Id, Range } from "@vitaline/contract";
import { useSearchValue } from "../../../lib/routing/search-params.ts";

const defaultRange: Range = "30days";

export type AnalyticsFilter = { range: Range; officeId: string | undefined };

/** Reads the filter from the URL; missing or invalid values become the defaults. */
export const useAnalyticsFilter = () => {
  const [range, setRange] = useSearchValue("range");
  const [office, setOffice] = useSearchValue("office");
  const filter: AnalyticsFilter = { range: Range.safeParse(range).data ?? defaultRange, officeId: Id.safeParse(office).data };
  return {
    filter,
    setRange: (chosen: string) => setRange(chosen === defaultRange ? undefined : chosen),
    setOffice: (chosen: string) => setOffice(chosen || undefined),
  };
};

/** Charts need a first day, so "all" becomes the last 90 days. */
export const toChartRange = (range: Range): ChartRange => (range === "all" ? "90days" : range);
