import { type ChartRange, Id, Range } from "@vitaline/contract";
import { useSearchValue } from "../../../lib/routing/search-params.ts";

const usualRange: Range = "30days";

/** What the figures are about: a stretch of time, and one office or all. */
export type AnalyticsFilter = { range: Range; officeId: string | undefined };

/** As the address has it; what it does not say, or says wrongly, is as it usually is. */
export const useAnalyticsFilter = () => {
  const [range, setRange] = useSearchValue("range");
  const [office, setOffice] = useSearchValue("office");
  const filter: AnalyticsFilter = { range: Range.safeParse(range).data ?? usualRange, officeId: Id.safeParse(office).data };
  return {
    filter,
    setRange: (chosen: string) => setRange(chosen === usualRange ? undefined : chosen),
    setOffice: (chosen: string) => setOffice(chosen || undefined),
  };
};

/** A chart has a point for each day, so it has a first one: of all time it shows the last 90 days. */
export const chartRangeOf = (range: Range): ChartRange => (range === "all" ? "90days" : range);
