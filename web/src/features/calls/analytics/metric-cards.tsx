import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { tenantDashboard } from "@vitaline/contract";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Clock from "lucide-react/dist/esm/icons/clock.mjs";
import Phone from "lucide-react/dist/esm/icons/phone.mjs";
import PhoneCall from "lucide-react/dist/esm/icons/phone-call.mjs";
import { useApi } from "../../../lib/api/use-api.ts";
import { Announcement } from "../../../components/feedback/alerts.tsx";
import { LoadFailure } from "../../../components/feedback/loadable.tsx";
import { StatCard } from "../../../components/data/stat-card.tsx";
import { formatCount, formatPercent, formatSuccessRate } from "../../../lib/format/numbers.ts";
import { formatAverageMinutes } from "../../../lib/format/times.ts";
import { useToday } from "../page-range.ts";
import { describeChange, WhatCounts } from "../what-counts.tsx";
import type { AnalyticsFilter } from "./analytics-filter.ts";

export const MetricCards = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const { data, error, refresh, isRefreshing } = useApi(tenantDashboard.tenantMetrics, {
    query: { ...range.query, officeId, compare: "true" },
  });
  const isTodayIn = range.days?.to === useToday();
  if (!data && error !== undefined)
    return <LoadFailure what="analytics metrics" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  return (
    <>
      <SimpleGrid columns={{ base: 1, sm: 2, lg: 4 }} gap={{ base: "3", md: "4" }}>
        {data ? null : <Announcement text="Loading analytics metrics..." />}
        <StatCard
          label="Total Calls"
          icon={Phone}
          value={data && formatCount(data.totalCalls)}
          caption={captionOf(range.name, data && describeChange(data.totalCalls, data.previous?.totalCalls), isTodayIn)}
        />
        <StatCard
          label="Success Rate"
          icon={PhoneCall}
          value={data && formatSuccessRate(data.successfulCalls, data.totalCalls)}
          caption={data ? `${formatCount(data.successfulCalls)} of ${formatCount(data.totalCalls)} completed` : "Completed calls"}
        />
        <StatCard
          label="Average Duration"
          icon={Clock}
          value={data && formatAverageMinutes(data.averageDuration)}
          caption="Calls with a known length"
        />
        <StatCard
          label="Resolution Rate"
          icon={CircleCheck}
          value={data && formatPercent(data.resolutionRate)}
          caption="Calls resolved without forwarding"
        />
      </SimpleGrid>
      {data ? <WhatCounts metrics={data} period={range.name} /> : null}
    </>
  );
};

/** The days before are whole, and today is not. */
const captionOf = (name: string, change: string | undefined, isTodayIn: boolean): string =>
  change === undefined ? name : `${name}; ${change}${isTodayIn ? ", though today is not over" : ""}`;
