import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { AuthorizationNotice } from "../fhir-providers/authorization.tsx";
import { useConnectionCheck } from "../fhir-providers/health/connection-checks.ts";

const PlatformProvidersPanel = lazy(() => import("../fhir-providers/platform/platform-providers-panel.tsx"));
const PlatformKeysPanel = lazy(() => import("../platform-keys/platform-keys-panel.tsx"));
const AssignmentsPanel = lazy(() => import("../fhir-assignments/assignments-panel.tsx"));
const ConnectionHealthPanel = lazy(() => import("../fhir-providers/health/connection-health-panel.tsx"));

const EhrTab = () => {
  const check = useConnectionCheck();
  return (
    <Stack gap="panels">
      <AuthorizationNotice onConnected={(id) => void check(id).catch(() => undefined)} />
      <LazyPanel title="FHIR Providers">
        <PlatformProvidersPanel />
      </LazyPanel>
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="panels" alignItems="start">
        <LazyPanel title="Platform Keys">
          <PlatformKeysPanel />
        </LazyPanel>
        <LazyPanel title="Connection Health">
          <ConnectionHealthPanel />
        </LazyPanel>
      </SimpleGrid>
      <LazyPanel title="Provider Assignments">
        <AssignmentsPanel />
      </LazyPanel>
    </Stack>
  );
};

export default EhrTab;
