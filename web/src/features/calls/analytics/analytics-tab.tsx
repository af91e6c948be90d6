import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { Panel } from "../../../components/layout/panel.tsx";
import { useAnalyticsFilter } from "./analytics-filter.ts";
import { DayPanel } from "./day-panel.tsx";
import { LazyPanel } from "../../../components/layout/lazy-panel.tsx";
import { MetricCards } from "./metric-cards.tsx";
import { Revenue } from "../estimates/revenue.tsx";
import { RoutingPanel } from "./routing-panel.tsx";
import { Savings } from "../estimates/savings.tsx";
import { ToolBars } from "./tool-bars.tsx";
import { InlineSelect } from "../../../components/form/inline-select.tsx";
import { useRangePicker } from "../page-range.ts";
import { OfficePicker } from "../office-picker.tsx";

const CallsPanel = lazy(() => import("../list/calls-panel.tsx"));

const twoColumns = { columns: { base: 1, lg: 2 }, gap: "panels" } as const;

const AnalyticsTab = () => {
  const analytics = useAnalyticsFilter();
  const { filter } = analytics;
  const [search] = useSearchParams();
  // Leads were a part of this tab: bookmarks still lead to them.
  if (search.has("lead") || search.has("leads")) {
    search.delete("tab");
    return <Navigate to={`/tenant/leads?${search.toString()}`} replace />;
  }
  return (
    <Stack gap="panels">
      <Panel title="Call Analytics" actions={<AnalyticsPickers {...analytics} />}>
        <MetricCards filter={filter} />
      </Panel>
      <DayPanel filter={filter} />
      <LazyPanel title="Recent Call Details">
        <CallsPanel hasOffice />
      </LazyPanel>
      <SimpleGrid {...twoColumns}>
        <ToolBars filter={filter} />
        <RoutingPanel filter={filter} />
      </SimpleGrid>
      <SimpleGrid {...twoColumns}>
        <Revenue filter={filter} />
        <Savings filter={filter} />
      </SimpleGrid>
    </Stack>
  );
};

const AnalyticsPickers = ({ filter: { range, officeId = "" }, setOffice }: ReturnType<typeof useAnalyticsFilter>) => {
  const picker = useRangePicker(range);
  return (
    <>
      <InlineSelect label="Time range" value={picker.value} options={picker.options} onPick={picker.pick} />
      <OfficePicker officeId={officeId} onPick={setOffice} />
    </>
  );
};

export default AnalyticsTab;
