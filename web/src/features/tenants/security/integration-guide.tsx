import { Box } from "@chakra-ui/react/box";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder, type Office, offices, type Snippet, snippets } from "@vitaline/contract";
import { useState } from "react";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { useAll } from "../../../lib/api/use-all.ts";
import { CheckList } from "../../../components/layout/page-section.tsx";
import { CodeBlock, type Copying } from "../../../components/data/copy-button.tsx";
import { type Loaded, useApi } from "../../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { readPlatform } from "../../api-keys/snippet-list.tsx";
import { SnippetChoice } from "../../api-keys/snippet-list.tsx";
import { SnippetList } from "../../api-keys/snippet-list.tsx";
import { ToolName } from "../../../components/data/tool-name.tsx";
import { toolGroups } from "../../api-keys/tool-groups.ts";
import { announce } from "../../../lib/toast.ts";

type Props = {
  tenantId: string;
  /** undefined while the key is hidden */
  apiKey: string | undefined;
  read: () => Promise<string>;
};

const copyMessages = (copied: string, refused: string, what: string): Required<Pick<Copying, "onCopied" | "onRefused">> => ({
  onCopied: () => announce({ type: "success", title: copied }),
  onRefused: () => announce({ type: "error", title: refused, description: `The ${what} can still be selected and copied by hand.` }),
});

const endpointMessages = copyMessages("Endpoint Copied", "Copy Failed", "address");

const advice = [
  "Keep the key in the voice platform's own secret store, never in a web page, an app or a prompt.",
  "Regenerate it immediately when a person who knew it leaves, or when it may have been exposed.",
  "Use the overlap when you regenerate: the old key keeps working while you update your platforms.",
  "Give each office its own address, so that its calls, hours and record system are its own.",
  "Look at Audit & Compliance for who has seen the key, and for requests that were refused.",
];

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
        <CodeBlock label="Universal MCP endpoint" text={endpoint} {...endpointMessages} />
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

type TenantSnippetsProps = {
  tenantId: string;
  offices: readonly Office[];
  /** undefined while the key is hidden */
  apiKey: string | undefined;
  read: () => Promise<string>;
};

const snippetMessages = copyMessages("Copied to clipboard", "Copy failed", "text");

/** The displayed snippets contain the key only while it is visible; the copied ones always contain it. */
const TenantSnippets = ({ tenantId, offices, apiKey, read }: TenantSnippetsProps) => {
  const [platform, setPlatform] = useState<Snippet["platform"]>("vapi");
  const [officeId, setOfficeId] = useState("");
  const request = { params: { tenantId }, query: officeId === "" ? {} : { officeId } };
  const loaded = useApi(snippets.snippetsOfTenant, request, { fresh: true });
  const looksOf = ({ text }: Snippet) => {
    if (!text.includes(keyPlaceholder)) return { text, ...snippetMessages };
    const filledIn = (key: string) => text.replaceAll(keyPlaceholder, key);
    const shown = apiKey === undefined ? { text, copied: async () => filledIn(await read()) } : { text: filledIn(apiKey) };
    return { ...shown, ...snippetMessages };
  };
  return (
    <Stack gap="4">
      <Heading as="h4" size="sm">
        Configuration snippets
      </Heading>
      <Text textStyle="sm" color="fg.muted">
        {`${keyPlaceholder} stands for the key until you show it. What you copy has the key in it, which is recorded in the audit log.`}
      </Text>
      <SnippetChoice
        platform={platform}
        onPlatform={(named) => setPlatform(readPlatform(named))}
        offices={offices}
        officeId={officeId}
        onOffice={setOfficeId}
      />
      <Loadable loaded={loaded} what="configuration snippets" skeleton={<RowSkeletons />}>
        {(list) => <SnippetList snippets={list} platform={platform} looksOf={looksOf} />}
      </Loadable>
    </Stack>
  );
};

/** `endpoint` is the organization's. */
const OfficeEndpoints = ({ offices, endpoint }: { offices: Loaded<Office[]>; endpoint: string }) => (
  <Stack gap="3">
    <Heading as="h4" size="sm">
      Office-level endpoints
    </Heading>
    <Loadable loaded={offices} what="offices" failed="Failed to fetch offices" skeleton={<RowSkeletons />}>
      {(list) => <Endpoints offices={list} endpoint={endpoint} />}
    </Loadable>
  </Stack>
);

const previewedOffices = 2;

const Endpoints = ({ offices, endpoint }: { offices: readonly Office[]; endpoint: string }) => {
  const more = offices.length - previewedOffices;
  return (
    <>
      {offices.slice(0, previewedOffices).map(({ id, name }) => (
        <CodeBlock key={id} label={`Endpoint of ${name}`} text={`${endpoint}/${id}`} {...endpointMessages} />
      ))}
      {offices.length === 0 || more > 0 ? (
        <Text textStyle="sm" color="fg.muted">
          {more > 0 ? `+${more} more offices available` : "Each office that you add gets an address of its own."}
        </Text>
      ) : null}
    </>
  );
};

const ToolNames = () => (
  <Stack gap="3">
    <Heading as="h4" size="sm">
      Available tools
    </Heading>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
      {toolGroups.map(({ name, tools }) => (
        <chakra.div key={name} textStyle="sm">
          <chakra.p color="fg.muted" mb="1">
            {name}
          </chakra.p>
          <chakra.ul listStyleType="none" aria-label={name} display="grid" gap="1">
            {tools.map((tool) => (
              <li key={tool}>
                <ToolName name={tool} />
              </li>
            ))}
          </chakra.ul>
        </chakra.div>
      ))}
    </SimpleGrid>
  </Stack>
);
