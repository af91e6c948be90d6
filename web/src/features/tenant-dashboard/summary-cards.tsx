import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { CallMetrics } from "@vitaline/contract";
import CalendarCheck from "lucide-react/dist/esm/icons/calendar-check.mjs";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Clock from "lucide-react/dist/esm/icons/clock.mjs";
import Phone from "lucide-react/dist/esm/icons/phone.mjs";
import type { Loaded } from "../../lib/api/use-api.ts";
import { Announcement } from "../../components/feedback/notices.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { StatCard } from "../../components/data/stat-card.tsx";
import { formatAmount, formatCount, formatHours, formatPercent, formatSuccessRate } from "../../lib/format/numbers.ts";

/** The four figures above the tabs. */
export const SummaryCards = ({ metrics: { data, error, refresh, isRefreshing } }: { metrics: Loaded<CallMetrics> }) => {
  if (!data && error !== undefined) return <LoadFailure what="call metrics" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  return (
    <SimpleGrid as="section" aria-label="Summary" columns={{ base: 2, lg: 4 }} gap={{ base: "3", md: "5" }}>
      {data ? null : <Announcement text="Loading call metrics..." />}
      <StatCard
        label="Total Calls"
        icon={Phone}
        value={data && formatCount(data.totalCalls)}
        caption={data ? `${formatSuccessRate(data.successfulCalls, data.totalCalls)} success rate` : "Success rate"}
      />
      <StatCard
        label="Resolution Rate"
        icon={CircleCheck}
        value={data && formatPercent(data.resolutionRate)}
        caption="Calls resolved without forwarding"
      />
      <StatCard
        label="Revenue Events"
        icon={CalendarCheck}
        value={data && formatCount(data.revenueEvents)}
        caption="Successful appointments scheduled"
      />
      <StatCard
        label="Time Saved"
        icon={Clock}
        value={data && formatHours(data.costSavings.hoursAutomated)}
        caption={data ? `${formatAmount(data.costSavings.staffEquivalent)} full-time staff equivalent` : "Full-time staff equivalent"}
      />
    </SimpleGrid>
  );
};
