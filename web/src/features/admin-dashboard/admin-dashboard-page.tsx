import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { dashboard } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { DashboardTitle } from "../../components/layout/panel.tsx";
import { AdminTabs } from "./admin-tabs.tsx";
import { PlatformCards } from "./platform-cards.tsx";

const AdminDashboardPage = () => {
  const metrics = useApi(dashboard.platformMetrics, {});
  return (
    <Container py={{ base: "6", md: "10" }}>
      <Stack gap={{ base: "6", md: "8" }}>
        <DashboardTitle title="Admin Dashboard" subtitle="Users and organizations on this platform" receivedAt={metrics.receivedAt} />
        <PlatformCards metrics={metrics} />
        <AdminTabs waiting={metrics.data?.waiting} />
      </Stack>
    </Container>
  );
};

export default AdminDashboardPage;
