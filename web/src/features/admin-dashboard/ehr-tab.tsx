import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { LaterPanel } from "../../components/layout/lazy-panel.tsx";
import { AuthorizationNotice } from "../fhir-providers/authorization.tsx";
import { useCheck } from "../fhir-providers/health/connection-checks.ts";

const PlatformProvidersPanel = lazy(() => import("../fhir-providers/platform/platform-providers-panel.tsx"));
const PlatformKeysPanel = lazy(() => import("../platform-keys/platform-keys-panel.tsx"));
const AssignmentsPanel = lazy(() => import("../fhir-assignments/assignments-panel.tsx"));
const ConnectionHealthPanel = lazy(() => import("../fhir-providers/health/connection-health-panel.tsx"));

const EhrTab = () => {
  const check = useCheck();
  return (
    <Stack gap="5">
      <AuthorizationNotice onConnected={(id) => void check(id).catch(() => undefined)} />
      <LaterPanel title="FHIR Providers">
        <PlatformProvidersPanel />
      </LaterPanel>
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="5" alignItems="start">
        <LaterPanel title="Platform Keys">
          <PlatformKeysPanel />
        </LaterPanel>
        <LaterPanel title="Connection Health">
          <ConnectionHealthPanel />
        </LaterPanel>
      </SimpleGrid>
      <LaterPanel title="Provider Assignments">
        <AssignmentsPanel />
      </LaterPanel>
    </Stack>
  );
};

export default EhrTab;
