import { Range } from "@vitaline/contract";
import { Picker } from "../../components/form/inline-select.tsx";
import { rangeNames } from "../../lib/format/labels.ts";
import type { useAnalyticsFilter } from "./analytics-filter.ts";
import { useOfficeNames } from "./office-names.ts";

/** Which time and which office the figures are about. An office of the address that is not known is told apart from all of them. */
export const AnalyticsPickers = ({ filter: { range, officeId = "" }, setRange, setOffice }: ReturnType<typeof useAnalyticsFilter>) => {
  const names = useOfficeNames();
  const isUnknown = officeId !== "" && !names.has(officeId);
  return (
    <>
      <Picker label="Time range" value={range} options={Range.options.map((one) => [one, rangeNames[one]])} onPick={setRange} />
      <Picker
        label="Office"
        value={officeId}
        options={[["", "All offices"], ...names, ...(isUnknown ? [[officeId, "Chosen office"] as const] : [])]}
        onPick={setOffice}
      />
    </>
  );
};
