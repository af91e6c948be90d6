import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { LaterPanel } from "../../components/layout/lazy-panel.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { UsagePanel } from "./usage-panel.tsx";

/** Below the key, in order; the code of each comes by itself, to the place that its title keeps. */
const parts = [
  { title: "Platform Configuration", Part: lazy(() => import("./snippets-panel.tsx")) },
  { title: "Test a tool", Part: lazy(() => import("../tools/tool-console.tsx")) },
  { title: "Recent Tool Calls", Part: lazy(() => import("./tool-calls-panel.tsx")) },
  { title: "Webhooks", Part: lazy(() => import("../webhooks/webhooks-panel.tsx")) },
];

const ApiKeysTab = () => (
  <Stack gap="5">
    <KeyPanel />
    <UsagePanel />
    {parts.map(({ title, Part }) => (
      <LaterPanel key={title} title={title}>
        <Part />
      </LaterPanel>
    ))}
  </Stack>
);

export default ApiKeysTab;
