import { Box } from "@chakra-ui/react/box";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { offices } from "@vitaline/contract";
import { useAll } from "../../api/use-all.ts";
import { announce } from "../../app/toaster.ts";
import { CheckList } from "../../components/check-list.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { TenantSnippets } from "./tenant-snippets.tsx";
import { ToolNames } from "./tool-names.tsx";

type Props = {
  tenantId: string;
  /** While somebody looks at it. */ apiKey: string | undefined;
  read: () => Promise<string>;
};

const previewedOffices = 2;

const advice = [
  "Keep the key in the voice platform's own secret store, never in a web page, an app or a prompt.",
  "Regenerate it at once when somebody who knew it leaves, or when it may have been seen.",
  "Use the overlap when you regenerate: the old key goes on working until every platform has the new one.",
  "Give each office its own address, so that its calls, hours and record system are its own.",
  "Look at Audit & Compliance for who has seen the key, and for requests that were refused.",
];

const told = () => announce({ type: "success", title: "Endpoint Copied" });
const refused = () =>
  announce({ type: "error", title: "Copy Failed", description: "The address can still be selected and copied by hand." });

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
        <CodeBlock label="Universal MCP endpoint" text={endpoint} onCopied={told} onRefused={refused} />
      </Stack>
      <TenantSnippets tenantId={tenantId} offices={all.data ?? []} apiKey={apiKey} read={read} />
      <Stack gap="3">
        <Heading as="h4" size="sm">
          Office-level endpoints
        </Heading>
        <Loadable loaded={all} what="offices" failed="Failed to fetch offices" skeleton={<RowSkeletons />}>
          {(list) =>
            list.length === 0 ? (
              <Text textStyle="sm" color="fg.muted">
                Each office that you add gets an address of its own.
              </Text>
            ) : (
              <>
                {list.slice(0, previewedOffices).map(({ id, name }) => (
                  <CodeBlock key={id} label={`Endpoint of ${name}`} text={`${endpoint}/${id}`} onCopied={told} onRefused={refused} />
                ))}
                {list.length > previewedOffices ? (
                  <Text textStyle="sm" color="fg.muted">
                    {`+${list.length - previewedOffices} more offices available`}
                  </Text>
                ) : null}
              </>
            )
          }
        </Loadable>
      </Stack>
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
