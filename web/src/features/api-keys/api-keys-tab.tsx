import { Stack } from "@chakra-ui/react/stack";
import { lazy } from "react";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder } from "@vitaline/contract";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { KeyPanel } from "./keys/key-panel.tsx";
import { useAuth } from "../../lib/session/auth.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { AvailableTools } from "./available-tools.tsx";

/** Each part is a chunk of its own; LaterPanel reserves its place. */
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
      <LazyPanel key={title} title={title}>
        <Part />
      </LazyPanel>
    ))}
  </Stack>
);

const UsagePanel = () => {
  const { user } = useAuth();
  const { origin } = window.location;
  return (
    <Panel title="Using the API Key" description="Any voice platform that can call an HTTP address or an MCP server can be connected.">
      <Stack gap="6">
        <Stack gap="4">
          <Text>
            {`Each request carries the key as a bearer token in its Authorization header. Put your key in the place of ${keyPlaceholder}, and keep it out of anything that runs in a browser or that others can read.`}
          </Text>
          <CodeBlock label="Authorization header" text={`Authorization: Bearer ${keyPlaceholder}`} />
          <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
            <CodeBlock label="Tool-call endpoint" text={`${origin}/api/vapi/tool-call`} />
            {user?.tenantId ? <CodeBlock label="MCP endpoint" text={`${origin}/api/mcp/${user.tenantId}`} /> : null}
          </SimpleGrid>
        </Stack>
        <TextLink to="/tenant/setup" alignSelf="flex-start">
          Guided set-up with a test call in the browser
        </TextLink>
        <AvailableTools />
      </Stack>
    </Panel>
  );
};

export default ApiKeysTab;
