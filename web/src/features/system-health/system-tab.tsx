import { Stack } from "@chakra-ui/react/stack";
import { HealthPanel } from "./health-panel.tsx";
import { SavingsPanel } from "./savings-panel.tsx";

/** How the system is, and what it saves. */
const SystemTab = () => (
  <Stack gap="5">
    <HealthPanel />
    <SavingsPanel />
  </Stack>
);

export default SystemTab;
