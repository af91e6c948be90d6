import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { tenantDashboard } from "@vitaline/contract";
import { useApi } from "../../api/use-api.ts";
import { useAuth } from "../../app/auth.tsx";
import { DashboardTitle } from "../../components/dashboard-title.tsx";
import { rangeNames } from "./range-names.ts";
import { SummaryCards } from "./summary-cards.tsx";
import { TenantTabs } from "./tenant-tabs.tsx";

const TenantDashboardPage = () => {
  const { user } = useAuth();
  const metrics = useApi(tenantDashboard.tenantMetrics, {});
  const subtitle = [user?.tenantName, metrics.data && rangeNames[metrics.data.range]].filter(Boolean).join(" · ");
  return (
    <Container py={{ base: "6", md: "10" }}>
      <Stack gap={{ base: "6", md: "8" }}>
        <DashboardTitle title="Tenant Dashboard" subtitle={subtitle} receivedAt={metrics.receivedAt} />
        <SummaryCards metrics={metrics} />
        <TenantTabs />
      </Stack>
    </Container>
  );
};

export default TenantDashboardPage;
