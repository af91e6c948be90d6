import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { Panel } from "../../components/layout/panel.tsx";
import { useAnalyticsFilter } from "./analytics-filter.ts";
import { AnalyticsPickers } from "./analytics-pickers.tsx";
import { DayPanel } from "./day-panel.tsx";
import { LaterPanel } from "../../components/layout/lazy-panel.tsx";
import { MetricCards } from "./metric-cards.tsx";
import { Revenue } from "./revenue.tsx";
import { RoutingPanel } from "./routing-panel.tsx";
import { Savings } from "./savings.tsx";
import { ToolBars } from "./tool-bars.tsx";

const CallsPanel = lazy(() => import("./calls-panel.tsx"));
const LeadsPanel = lazy(() => import("../leads/leads-panel.tsx"));
const MessagesPanel = lazy(() => import("../messages/messages-panel.tsx"));

const twoColumns = { columns: { base: 1, lg: 2 }, gap: "5" } as const;

/** What calls come to, one by one and together, and what they leave to be done. */
const AnalyticsTab = () => {
  const analytics = useAnalyticsFilter();
  const { filter } = analytics;
  return (
    <Stack gap="5">
      <Panel title="Call Analytics" actions={<AnalyticsPickers {...analytics} />}>
        <MetricCards filter={filter} />
      </Panel>
      <DayPanel filter={filter} />
      <LaterPanel title="Recent Call Details">
        <CallsPanel />
      </LaterPanel>
      <SimpleGrid {...twoColumns}>
        <ToolBars filter={filter} />
        <RoutingPanel filter={filter} />
      </SimpleGrid>
      <SimpleGrid {...twoColumns}>
        <Revenue />
        <Savings />
      </SimpleGrid>
      <LaterPanel title="Leads">
        <LeadsPanel />
      </LaterPanel>
      <LaterPanel title="Messages to Patients">
        <MessagesPanel />
      </LaterPanel>
    </Stack>
  );
};

export default AnalyticsTab;
