import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { LaterPanel } from "../../components/layout/lazy-panel.tsx";
import { ExportsPanel } from "../audit/exports-panel.tsx";
import { askForPlatformExport } from "../audit/fetch-export.ts";
import { useReports } from "../audit/use-reports.tsx";

const PlatformActivityPanel = lazy(() => import("../audit/platform-activity-panel.tsx"));
const UserActivityPanel = lazy(() => import("../user-activity/user-activity-panel.tsx"));
const ComplianceMetricsPanel = lazy(() => import("../compliance/compliance-metrics-panel.tsx"));
const ErasuresPanel = lazy(() => import("../erasures/erasures-panel.tsx"));
const PlatformLogPanel = lazy(() => import("../audit/platform-log-panel.tsx"));
const KeptEventsPanel = lazy(() => import("../kept-events/kept-events-panel.tsx"));
const ContactMessagesPanel = lazy(() => import("../contact-messages/contact-messages-panel.tsx"));

const ComplianceTab = () => {
  const { pages, button } = useReports();
  return (
    <Stack gap="5">
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="5" alignItems="start">
        <LaterPanel title="Audit Logs">
          <PlatformActivityPanel actions={button} />
        </LaterPanel>
        <LaterPanel title="User Activity">
          <UserActivityPanel />
        </LaterPanel>
      </SimpleGrid>
      <LaterPanel title="Kept Events">
        <KeptEventsPanel />
      </LaterPanel>
      <LaterPanel title="Contact Messages">
        <ContactMessagesPanel />
      </LaterPanel>
      <LaterPanel title="Compliance Metrics">
        <ComplianceMetricsPanel />
      </LaterPanel>
      <LaterPanel title="Erasures">
        <ErasuresPanel />
      </LaterPanel>
      <LaterPanel title="All Audit Events">
        <PlatformLogPanel />
      </LaterPanel>
      <ExportsPanel pages={pages} askFor={askForPlatformExport} button="Export Audit Report" />
    </Stack>
  );
};

export default ComplianceTab;
