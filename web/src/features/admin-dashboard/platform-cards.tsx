import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { PlatformMetrics } from "@vitaline/contract";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Users from "lucide-react/dist/esm/icons/users.mjs";
import { StatCard } from "../../components/data/stat-card.tsx";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import type { Loaded } from "../../lib/api/use-api.ts";
import { formatCount } from "../../lib/format/numbers.ts";

/** `metrics` are undefined until the session is known. */
export const PlatformCards = ({ metrics }: { metrics?: Loaded<PlatformMetrics> }) => {
  const data = metrics?.data;
  if (!data && metrics?.error !== undefined)
    return <LoadFailure what="platform metrics" error={metrics.error} onRetry={metrics.refresh} isRetrying={metrics.isRefreshing} />;
  return (
    <SimpleGrid
      as="section"
      aria-label="Summary"
      columns={3}
      gap={{ base: "2", md: "5" }}
      // Smaller padding fits three cards in one row of a phone.
      css={{ "& > article": { "--card-padding": { base: "spacing.2.5", sm: "spacing.4" } } }}
    >
      {metrics && !data ? <Announcement text="Loading platform metrics..." /> : null}
      <StatCard label="Total Users" icon={Users} value={data && formatCount(data.totalUsers)} />
      <StatCard label="Active Tenants" icon={CircleCheck} value={data && formatCount(data.activeTenants)} />
      <StatCard label="Total Tenants" icon={Building2} value={data && formatCount(data.totalTenants)} />
    </SimpleGrid>
  );
};
