import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { dashboard, mostWaiting, type PlatformMetrics } from "@vitaline/contract";
import { type ComponentType, lazy } from "react";
import { useSearchParams } from "react-router-dom";
import { useApi } from "../../lib/api/use-api.ts";
import { DashboardTitle } from "../../components/layout/panel.tsx";
import { type DashboardTab, DashboardTabs, openTab } from "../../components/layout/tabs.tsx";
import { adminTabs } from "../../lib/routing/places.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { PlatformCards } from "./platform-cards.tsx";

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

const waitingOf = ({ keptEvents, unmailedMessages, openRequests }: PlatformMetrics["waiting"]): string | undefined => {
  const count = keptEvents + unmailedMessages + openRequests;
  return count === 0 ? undefined : `${formatCount(count)}${Math.max(unmailedMessages, openRequests) >= mostWaiting ? "+" : ""}`;
};

export default AdminDashboardPage;
