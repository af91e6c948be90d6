import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { apiKeys, tenant, tenantCalls } from "@vitaline/contract";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Circle from "lucide-react/dist/esm/icons/circle.mjs";
import { lazy } from "react";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { DashboardTitle, Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { platformNames } from "../../lib/format/labels.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { readPlatform } from "../api-keys/snippet-list.tsx";
import { BrowserCall } from "./browser-call.tsx";
import { type SetupStep, setupStepsOf } from "./setup-steps.ts";
import type { Platform } from "./platform-agent.ts";

const SnippetsPanel = lazy(() => import("../api-keys/snippets-panel.tsx"));

const newestCalls = 100;

/** The way from a key to the first call, for the platform chosen in the configuration below. */
const SetupPage = () => {
  const [named] = useSearchValue("platform");
  const platform = readPlatform(named);
  const platformName = platform === "mcp" ? "your MCP client" : platformNames[platform];
  const settings = useApi(tenant.tenantSettings, {});
  const calls = useApi(tenantCalls.listCalls, { query: { limit: newestCalls } });
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "10" }}>
        <Stack gap={{ base: "6", md: "8" }}>
          <DashboardTitle
            title="Set up your voice platform"
            subtitle={`From the key to the first call, with ${platformName}. Choose another under Platform Configuration.`}
            receivedAt={calls.receivedAt}
          />
          <Steps platform={platform} platformName={platformName} />
          <LazyPanel title="Platform Configuration">
            <SnippetsPanel />
          </LazyPanel>
          <BrowserCall key={platform} platform={platform} platformName={platformName} />
        </Stack>
      </Container>
    </ZoneContext>
  );
};

const Steps = ({ platform, platformName }: { platform: Platform; platformName: string }) => {
  const keys = useApi(apiKeys.listApiKeys, {});
  const calls = useApi(tenantCalls.listCalls, { query: { limit: newestCalls } });
  return (
    <Panel title="Steps" description="Each step is done once its data has arrived. Press Refresh after a call.">
      <Loadable loaded={keys} what="API keys" skeleton={<RowSkeletons />}>
        {(keyRows) => (
          <Loadable loaded={calls} what="calls" skeleton={<RowSkeletons />}>
            {(callRows) => (
              <chakra.ol listStyleType="none" display="grid" gap="4" aria-label="Steps">
                {setupStepsOf(platform, platformName, { keys: keyRows, calls: callRows }).map((step) => (
                  <StepRow key={step.title} step={step} />
                ))}
              </chakra.ol>
            )}
          </Loadable>
        )}
      </Loadable>
      <TextLink to="/tenant?tab=api-keys" textStyle="sm" mt="4" alignSelf="flex-start">
        Open API Keys
      </TextLink>
    </Panel>
  );
};

const StepRow = ({ step: { title, text, isDone } }: { step: SetupStep }) => (
  <chakra.li display="flex" gap="3">
    <Box color={isDone ? "green.fg" : "fg.muted"} flexShrink="0" mt="0.5">
      {isDone ? <CircleCheck width={20} height={20} aria-hidden /> : <Circle width={20} height={20} aria-hidden />}
    </Box>
    <div>
      <Text fontWeight="semibold">
        {title}
        <VisuallyHidden>{isDone ? ", done" : ", not done yet"}</VisuallyHidden>
      </Text>
      <Text textStyle="sm" color="fg.muted">
        {text}
      </Text>
    </div>
  </chakra.li>
);

export default SetupPage;
