import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder, type Office, type Snippet, snippets } from "@vitaline/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { platformOf, SnippetChoice, SnippetList } from "../api-keys/snippet-list.tsx";
import { snippetTold } from "./copy-told.ts";

type Props = {
  tenantId: string;
  offices: readonly Office[];
  /** While somebody looks at it. */ apiKey: string | undefined;
  read: () => Promise<string>;
};

/** What is pasted into each voice platform. The key stands in it only while it is shown above; what is copied has it. */
export const TenantSnippets = ({ tenantId, offices, apiKey, read }: Props) => {
  const [platform, setPlatform] = useState<Snippet["platform"]>("vapi");
  const [officeId, setOfficeId] = useState("");
  const request = { params: { tenantId }, query: officeId === "" ? {} : { officeId } };
  const loaded = useApi(snippets.snippetsOfTenant, request, { fresh: true });
  const looksOf = ({ text }: Snippet) => {
    if (!text.includes(keyPlaceholder)) return { text, ...snippetTold };
    const filledIn = (key: string) => text.replaceAll(keyPlaceholder, key);
    const shown = apiKey === undefined ? { text, copied: async () => filledIn(await read()) } : { text: filledIn(apiKey) };
    return { ...shown, ...snippetTold };
  };
  return (
    <Stack gap="4">
      <Heading as="h4" size="sm">
        Configuration snippets
      </Heading>
      <Text textStyle="sm" color="fg.muted">
        {`${keyPlaceholder} stands for the key until you show it. What you copy has the key in it, which is entered in the audit log.`}
      </Text>
      <SnippetChoice
        platform={platform}
        onPlatform={(named) => setPlatform(platformOf(named))}
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
