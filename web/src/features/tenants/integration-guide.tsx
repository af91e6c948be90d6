import { Box } from "@chakra-ui/react/box";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { offices } from "@vitaline/contract";
import { useAll } from "../../lib/api/use-all.ts";
import { CheckList } from "../../components/layout/page-section.tsx";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { endpointTold } from "./copy-told.ts";
import { OfficeEndpoints } from "./office-endpoints.tsx";
import { TenantSnippets } from "./tenant-snippets.tsx";
import { ToolNames } from "./tool-names.tsx";

type Props = {
  tenantId: string;
  /** While somebody looks at it. */ apiKey: string | undefined;
  read: () => Promise<string>;
};

const advice = [
  "Keep the key in the voice platform's own secret store, never in a web page, an app or a prompt.",
  "Regenerate it at once when somebody who knew it leaves, or when it may have been seen.",
  "Use the overlap when you regenerate: the old key goes on working until every platform has the new one.",
  "Give each office its own address, so that its calls, hours and record system are its own.",
  "Look at Audit & Compliance for who has seen the key, and for requests that were refused.",
];

/** What whoever configures a voice platform for this organization needs. */
export const IntegrationGuide = ({ tenantId, apiKey, read }: Props) => {
  const all = useAll(offices.listOffices, { params: { tenantId } });
  const endpoint = `${window.location.origin}/api/mcp/${tenantId}`;
  return (
    <Stack as="section" gap="6" aria-labelledby="integration-guide">
      <Heading as="h3" size="md" id="integration-guide">
        Platform Integration Guide
      </Heading>
      <Stack gap="3">
        <Heading as="h4" size="sm">
          Universal endpoint
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          Any voice platform that speaks MCP reaches all tools here, with the key as a bearer token.
        </Text>
        <CodeBlock label="Universal MCP endpoint" text={endpoint} {...endpointTold} />
      </Stack>
      <TenantSnippets tenantId={tenantId} offices={all.data ?? []} apiKey={apiKey} read={read} />
      <OfficeEndpoints offices={all} endpoint={endpoint} />
      <ToolNames />
      <Stack gap="3">
        <Heading as="h4" size="sm">
          Security advice
        </Heading>
        <Box textStyle="sm">
          <CheckList items={advice} />
        </Box>
      </Stack>
    </Stack>
  );
};
