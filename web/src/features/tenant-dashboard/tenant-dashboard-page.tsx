import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { tenant, tenantDashboard } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { ZoneContext } from "../../lib/format/times.ts";
import { DashboardTitle } from "../../components/layout/panel.tsx";
import { rangeNames } from "../../lib/format/labels.ts";
import { SummaryCards } from "./summary-cards.tsx";
import { isOverview, TenantTabs } from "./tenant-tabs.tsx";
import { UnknownZone } from "./unknown-zone.tsx";

const TenantDashboardPage = () => {
  const { user } = useAuth();
  const [search] = useSearchParams();
  const metrics = useApi(tenantDashboard.tenantMetrics, {});
  const settings = useApi(tenant.tenantSettings, {});
  const subtitle = [user?.tenantName, metrics.data && rangeNames[metrics.data.range]].filter(Boolean).join(" · ");
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "10" }}>
        <Stack gap={{ base: "6", md: "8" }}>
          <DashboardTitle title="Tenant Dashboard" subtitle={subtitle} receivedAt={metrics.receivedAt} />
          {/* Where there is little room, the other tabs come first. */}
          <Box hideBelow={isOverview(search) ? undefined : "md"}>
            <SummaryCards metrics={metrics} />
          </Box>
          {settings.error === undefined || settings.data !== undefined ? null : <UnknownZone settings={settings} />}
          <TenantTabs isReady={settings.data !== undefined || settings.error !== undefined} />
        </Stack>
      </Container>
    </ZoneContext>
  );
};

export default TenantDashboardPage;
