import { Stack } from "@chakra-ui/react/stack";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder } from "@vitaline/contract";
import { Navigate, useSearchParams } from "react-router-dom";
import { TextLink } from "../../components/layout/links.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { KeyPanel } from "./keys/key-panel.tsx";
import { useAuth } from "../../lib/session/auth.tsx";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { AvailableTools } from "./available-tools.tsx";

/** What the tab held before it had pages of its own: the queries of bookmarks still lead there. */
const formerParts: Readonly<Record<string, string>> = {
  tool: "/tenant/developers/test",
  platform: "/tenant/developers",
  webhook: "/tenant/developers/webhooks",
  delivery: "/tenant/developers/webhooks",
};

const ApiKeysTab = () => {
  const [search] = useSearchParams();
  const moved = Object.keys(formerParts).find((name) => search.has(name));
  if (moved !== undefined) {
    search.delete("tab");
    return <Navigate to={`${formerParts[moved]}?${search.toString()}`} replace />;
  }
  return (
    <Stack gap="panels">
      <KeyPanel />
      <UsagePanel />
      <DevelopersPanel />
    </Stack>
  );
};

const developerParts = [
  {
    to: "/tenant/developers",
    name: "Connect a platform",
    text: "What to paste into your voice platform, with the addresses and tools in it.",
  },
  { to: "/tenant/developers/test", name: "Test a tool", text: "Run a tool as an agent does, and see what the caller would hear." },
  { to: "/tenant/developers/tool-calls", name: "Tool calls", text: "The tool calls that voice platforms made with the key." },
  { to: "/tenant/developers/webhooks", name: "Webhooks", text: "Notify your own systems of events with signed HTTPS requests." },
] as const;

const DevelopersPanel = () => (
  <Panel title="Developers" description="Other pages for setting up a connection.">
    <RowList label="Pages for developers">
      {developerParts.map(({ to, name, text }) => (
        <RowListItem key={to}>
          <div>
            <TextLink to={to}>{name}</TextLink>
            <Text textStyle="sm" color="fg.muted">
              {text}
            </Text>
          </div>
        </RowListItem>
      ))}
    </RowList>
  </Panel>
);

const UsagePanel = () => {
  const { user } = useAuth();
  const { origin } = window.location;
  return (
    <Panel title="Using the API Key" description="Any voice platform that can call an HTTP address or an MCP server can be connected.">
      <Stack gap="6">
        <Stack gap="4">
          <Text>
            {`Each request carries the key as a bearer token in its Authorization header. Put your key in place of ${keyPlaceholder}, and keep it out of anything that runs in a browser or that others can read.`}
          </Text>
          <CodeBlock label="Authorization header" text={`Authorization: Bearer ${keyPlaceholder}`} />
          <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
            <CodeBlock label="Tool-call endpoint" text={`${origin}/api/vapi/tool-call`} />
            {user?.tenantId ? <CodeBlock label="MCP endpoint" text={`${origin}/api/mcp/${user.tenantId}`} /> : null}
          </SimpleGrid>
        </Stack>
        <TextLink to="/tenant/setup" alignSelf="flex-start">
          Guided setup with a test call in the browser
        </TextLink>
        <AvailableTools />
      </Stack>
    </Panel>
  );
};

export default ApiKeysTab;
