import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { platformAccess } from "../audit/access/access-api.ts";
import { ExportsPanel } from "../audit/export/exports-panel.tsx";
import { readPlatformExport, usePlatformReports } from "../audit/export/audit-exports.tsx";

const PlatformActivityPanel = lazy(() => import("../audit/platform-activity-panel.tsx"));
const UserActivityPanel = lazy(() => import("../user-activity/user-activity-panel.tsx"));
const ComplianceMetricsPanel = lazy(() => import("../compliance/compliance-metrics-panel.tsx"));
const ErasuresPanel = lazy(() => import("../erasures/erasures-panel.tsx"));
const PlatformLogPanel = lazy(() => import("../audit/log/platform-log-panel.tsx"));
const AccessPanel = lazy(() => import("../audit/access/access-panel.tsx"));
const KeptEventsPanel = lazy(() => import("../kept-events/kept-events-panel.tsx"));
const OperatorRequestsPanel = lazy(() => import("../requests/operator-requests-panel.tsx"));
const ContactMessagesPanel = lazy(() => import("../contact-messages/contact-messages-panel.tsx"));

const ComplianceTab = () => {
  const { pages, button } = usePlatformReports();
  return (
    <Stack gap="panels">
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="panels" alignItems="start">
        <LazyPanel title="Audit Logs">
          <PlatformActivityPanel actions={button} />
        </LazyPanel>
        <LazyPanel title="User Activity">
          <UserActivityPanel />
        </LazyPanel>
      </SimpleGrid>
      <LazyPanel title="Unprocessed Events">
        <KeptEventsPanel />
      </LazyPanel>
      <LazyPanel title="Requests">
        <OperatorRequestsPanel />
      </LazyPanel>
      <LazyPanel title="Contact Messages">
        <ContactMessagesPanel />
      </LazyPanel>
      <LazyPanel title="Compliance Metrics">
        <ComplianceMetricsPanel />
      </LazyPanel>
      <LazyPanel title="Erasures">
        <ErasuresPanel />
      </LazyPanel>
      <LazyPanel title="All Audit Events">
        <PlatformLogPanel />
      </LazyPanel>
      <LazyPanel title="Access Report">
        <AccessPanel api={platformAccess} isTenant={false} />
      </LazyPanel>
      <ExportsPanel pages={pages} askFor={readPlatformExport} button="Export Audit Report" />
    </Stack>
  );
};

export default ComplianceTab;
