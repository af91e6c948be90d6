import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { tenant, tenantDashboard } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { type ComponentType, lazy } from "react";
import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { may } from "../../lib/session/may.ts";
import { tenantTabs } from "../../lib/routing/places.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { DashboardTitle } from "../../components/layout/panel.tsx";
import { rangeNames } from "../../lib/format/labels.ts";
import { type DashboardTab, DashboardTabs, openTab } from "../../components/layout/tabs.tsx";
import { Banners } from "./banners.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SummaryCards } from "./summary-cards.tsx";
import { explain } from "../../lib/api/api-error.ts";

const TenantDashboardPage = () => {
  const { user } = useAuth();
  const own = useOwnTabs();
  const [search] = useSearchParams();
  const open = openTab(own, search);
  const isOverview = open.value === "overview";
  const metrics = useApi(tenantDashboard.tenantMetrics, { query: { compare: "true" } });
  const settings = useApi(tenant.tenantSettings, {});
  const subtitle = [user?.tenantName, metrics.data?.range && rangeNames[metrics.data.range]].filter(Boolean).join(" · ");
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "page" }}>
        <Stack gap={{ base: "5", md: "panel" }}>
          <DashboardTitle
            title="Tenant Dashboard"
            tab={isOverview ? undefined : open.label}
            subtitle={subtitle}
            receivedAt={metrics.receivedAt}
          />
          <Banners />
          {/* On a narrow screen the other tabs come first. */}
          <Box hideBelow={isOverview ? undefined : "md"}>
            <SummaryCards metrics={metrics} isOverview={isOverview} />
          </Box>
          {settings.error === undefined || settings.data !== undefined ? null : <TimeZoneNotice settings={settings} />}
          <DashboardTabs tabs={own} isReady={settings.data !== undefined || settings.error !== undefined} />
        </Stack>
      </Container>
    </ZoneContext>
  );
};

const contents: Record<(typeof tenantTabs)[number]["value"], ComponentType> = {
  overview: OverviewTab,
  "api-keys": lazy(() => import("../api-keys/api-keys-tab.tsx")),
  fhir: lazy(() => import("../fhir-providers/tenant/fhir-tab.tsx")),
  analytics: lazy(() => import("../calls/analytics/analytics-tab.tsx")),
  offices: lazy(() => import("../offices/offices-tab.tsx")),
  audit: lazy(() => import("../audit/audit-tab.tsx")),
  system: lazy(() => import("../system-health/system-tab.tsx")),
};
const tabs = tenantTabs.map((tab) => ({ ...tab, Content: contents[tab.value] }));

/** Every access opens at least one. */
const useOwnTabs = (): OwnTabs => {
  const { user } = useAuth();
  return tabs.filter(({ needs }) => may(user, needs)) as readonly DashboardTab[] as OwnTabs;
};
type OwnTabs = readonly [DashboardTab, ...DashboardTab[]];

/** Tells the time zone of the dashboard while the tenant's zone is unknown. */
const TimeZoneNotice = ({ settings: { error, refresh, isRefreshing } }: { settings: Loaded<unknown> }) => (
  <Alert.Root status="warning" role="alert" flexWrap="wrap" alignItems="center">
    <Alert.Content>
      <Alert.Title>Failed to load organization settings</Alert.Title>
      <Alert.Description>
        {`Times are in this browser's zone, as the organization's could not be loaded. ${explain(error)}`}
      </Alert.Description>
    </Alert.Content>
    <Button size="sm" variant="outline" onClick={refresh}>
      {isRefreshing ? "Retrying..." : "Retry"}
    </Button>
  </Alert.Root>
);

export default TenantDashboardPage;
