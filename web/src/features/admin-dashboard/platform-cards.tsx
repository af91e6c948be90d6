import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { PlatformMetrics } from "@vitaline/contract";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Users from "lucide-react/dist/esm/icons/users.mjs";
import type { Loaded } from "../../lib/api/use-api.ts";
import { Announcement } from "../../components/feedback/notices.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { StatCard } from "../../components/data/stat-card.tsx";
import { formatCount } from "../../lib/format/numbers.ts";

/** The console's three counts. */
export const PlatformCards = ({ metrics: { data, error, refresh, isRefreshing } }: { metrics: Loaded<PlatformMetrics> }) => {
  if (!data && error !== undefined)
    return <LoadFailure what="platform metrics" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  return (
    <SimpleGrid
      as="section"
      aria-label="Summary"
      columns={3}
      gap={{ base: "2", md: "5" }}
      // In one row on a phone, too, where the usual edges leave no room for a figure.
      css={{ "& > article": { "--card-padding": { base: "spacing.2.5", sm: "spacing.4" } } }}
    >
      {data ? null : <Announcement text="Loading platform metrics..." />}
      <StatCard label="Total Users" icon={Users} value={data && formatCount(data.totalUsers)} />
      <StatCard label="Active Tenants" icon={CircleCheck} value={data && formatCount(data.activeTenants)} />
      <StatCard label="Total Tenants" icon={Building2} value={data && formatCount(data.totalTenants)} />
    </SimpleGrid>
  );
};
