import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { dashboard, type PlatformMetrics } from "@vitaline/contract";
import { type ComponentType, lazy } from "react";
import { useSearchParams } from "react-router-dom";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Users from "lucide-react/dist/esm/icons/users.mjs";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { DashboardTitle } from "../../components/layout/panel.tsx";
import { type DashboardTab, DashboardTabs, openTab } from "../../components/layout/tabs.tsx";
import { adminTabs } from "../../lib/routing/places.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { StatCard } from "../../components/data/stat-card.tsx";

const AdminDashboardPage = () => {
  const metrics = useApi(dashboard.platformMetrics, {});
  const [search] = useSearchParams();
  const open = openTab(tabs, search);
  return (
    <Container py={{ base: "6", md: "page" }}>
      <Stack gap={{ base: "6", md: "8" }}>
        <DashboardTitle
          title="Admin Dashboard"
          tab={open === tabs[0] ? undefined : open.label}
          subtitle="Users and organizations on this platform"
          receivedAt={metrics.receivedAt}
        />
        <PlatformCards metrics={metrics} />
        <AdminTabs waiting={metrics.data?.waiting} />
      </Stack>
    </Container>
  );
};

const PlatformCards = ({ metrics: { data, error, refresh, isRefreshing } }: { metrics: Loaded<PlatformMetrics> }) => {
  if (!data && error !== undefined)
    return <LoadFailure what="platform metrics" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  return (
    <SimpleGrid
      as="section"
      aria-label="Summary"
      columns={3}
      gap={{ base: "2", md: "5" }}
      // Smaller padding fits three cards in one row of a phone.
      css={{ "& > article": { "--card-padding": { base: "spacing.2.5", sm: "spacing.4" } } }}
    >
      {data ? null : <Announcement text="Loading platform metrics..." />}
      <StatCard label="Total Users" icon={Users} value={data && formatCount(data.totalUsers)} />
      <StatCard label="Active Tenants" icon={CircleCheck} value={data && formatCount(data.activeTenants)} />
      <StatCard label="Total Tenants" icon={Building2} value={data && formatCount(data.totalTenants)} />
    </SimpleGrid>
  );
};

const contents: Record<(typeof adminTabs)[number]["value"], ComponentType> = {
  users: lazy(() => import("../users/users-tab.tsx")),
  tenants: lazy(() => import("../tenants/tenants-tab.tsx")),
  voice: lazy(() => import("./voice-tab.tsx")),
  fhir: lazy(() => import("./ehr-tab.tsx")),
  audit: lazy(() => import("./compliance-tab.tsx")),
};
const tabs = adminTabs.map((tab): DashboardTab => ({ ...tab, Content: contents[tab.value] })) as [DashboardTab, ...DashboardTab[]];

const AdminTabs = ({ waiting }: { waiting: PlatformMetrics["waiting"] | undefined }) => {
  const [first, ...rest] = tabs;
  const withCount = (tab: DashboardTab): DashboardTab => (tab.value === "audit" && waiting ? { ...tab, waiting: waitingOf(waiting) } : tab);
  return <DashboardTabs tabs={[first, ...rest.map(withCount)]} />;
};

/** The server's count stops here. */
const maxMessages = 100;

const waitingOf = ({ keptEvents, unmailedMessages }: PlatformMetrics["waiting"]): string | undefined => {
  const count = keptEvents + unmailedMessages;
  return count === 0 ? undefined : `${formatCount(count)}${unmailedMessages >= maxMessages ? "+" : ""}`;
};

export default AdminDashboardPage;
