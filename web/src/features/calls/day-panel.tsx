import { Button } from "@chakra-ui/react/button";
import { tenantDashboard } from "@vitaline/contract";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Table2 from "lucide-react/dist/esm/icons/table-2.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { rangeNames } from "../../lib/format/labels.ts";
import { type AnalyticsFilter, chartRangeOf } from "./analytics-filter.ts";
import { ChartSkeletons, DayCharts } from "./day-charts.tsx";
import { isWithoutCalls } from "./day-measures.ts";
import { DayTable } from "./day-table.tsx";

/** What happened on each day, drawn or as a table. */
export const DayPanel = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const shownRange = chartRangeOf(range);
  const days = useApi(tenantDashboard.charts, { query: { range: shownRange, officeId } });
  const [view, setView] = useSearchValue("days");
  const isTable = view === "table";
  const limits = range === "all" ? ", which is as far back as days go here" : "";
  return (
    <Panel
      title="Day by Day"
      description={`${rangeNames[shownRange]}${limits}. Days begin at midnight UTC; today is not over.`}
      actions={
        <Button variant="outline" size="sm" onClick={() => setView(isTable ? undefined : "table")}>
          {isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          {isTable ? "View as charts" : "View as table"}
        </Button>
      }
    >
      <Loadable loaded={days} what="calls by day" skeleton={<ChartSkeletons />}>
        {(list) => {
          if (isTable) return <DayTable days={list} />;
          return isWithoutCalls(list) ? (
            <Empty icon={ChartColumn} title="No calls on these days" description="Choose a longer time range, or another office." />
          ) : (
            <DayCharts days={list} />
          );
        }}
      </Loadable>
    </Panel>
  );
};
