import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { CallMetrics } from "@vitaline/contract";
import CalendarCheck from "lucide-react/dist/esm/icons/calendar-check.mjs";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Clock from "lucide-react/dist/esm/icons/clock.mjs";
import Phone from "lucide-react/dist/esm/icons/phone.mjs";
import { StatCard } from "../../components/data/stat-card.tsx";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import type { Loaded } from "../../lib/api/use-api.ts";
import { rangeNames } from "../../lib/format/labels.ts";
import { formatAmount, formatCount, formatHours, formatPercent, formatSuccessRate } from "../../lib/format/numbers.ts";
import { WhatCounts, WhatCountsWaiting } from "../calls/what-counts.tsx";

type Props = {
  /** Undefined until the session is known. */
  metrics?: Loaded<CallMetrics>;
  isOverview?: boolean;
};

export const SummaryCards = ({ metrics, isOverview = true }: Props) => {
  const data = metrics?.data;
  if (!data && metrics?.error !== undefined)
    return <LoadFailure what="call metrics" error={metrics.error} onRetry={metrics.refresh} isRetrying={metrics.isRefreshing} />;
  return (
    <section aria-label="Summary">
      <SimpleGrid columns={{ base: 2, lg: 4 }} gap={{ base: "3", md: isOverview ? "panels" : "3" }}>
        {metrics && !data ? <Announcement text="Loading call metrics..." /> : null}
        <StatCard
          isLow={!isOverview}
          label="Total Calls"
          icon={Phone}
          value={data && formatCount(data.totalCalls)}
          caption={data ? `${formatSuccessRate(data.successfulCalls, data.totalCalls)} success rate` : "Success rate"}
        />
        <StatCard
          isLow={!isOverview}
          label="Resolution Rate"
          icon={CircleCheck}
          value={data && formatPercent(data.resolutionRate)}
          caption="Calls resolved without forwarding"
        />
        <StatCard
          isLow={!isOverview}
          label="Revenue Events"
          icon={CalendarCheck}
          value={data && formatCount(data.revenueEvents)}
          caption="Successful appointments scheduled"
        />
        <StatCard
          isLow={!isOverview}
          label="Time Saved"
          icon={Clock}
          value={data && formatHours(data.costSavings.hoursAutomated)}
          caption={data ? `${formatAmount(data.costSavings.staffEquivalent)} full-time staff equivalent` : "Full-time staff equivalent"}
        />
      </SimpleGrid>
      {!isOverview ? null : data ? (
        <WhatCounts metrics={data} period={rangeNames["30days"]} />
      ) : (
        <WhatCountsWaiting period="last 30 days" />
      )}
    </section>
  );
};
