import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder, type Office, type Snippet, snippets } from "@vitaline/contract";
import { useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { announce } from "../../app/toaster.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { platforms } from "../api-keys/platforms.ts";

type Props = {
  tenantId: string;
  offices: readonly Office[];
  /** While somebody looks at it. */ apiKey: string | undefined;
  read: () => Promise<string>;
};

const told = () => announce({ type: "success", title: "Copied to clipboard" });
const refused = () => announce({ type: "error", title: "Copy failed", description: "The text can still be selected and copied by hand." });

/** What is pasted into each voice platform. The key stands in it only while it is shown above; what is copied has it. */
export const TenantSnippets = ({ tenantId, offices, apiKey, read }: Props) => {
  const [platform, setPlatform] = useState("vapi");
  const [officeId, setOfficeId] = useState("");
  const request = { params: { tenantId }, query: officeId === "" ? {} : { officeId } };
  const loaded = useApi(snippets.snippetsOfTenant, request, { fresh: true });
  const looksOf = ({ text }: Snippet) => {
    if (!text.includes(keyPlaceholder)) return { text };
    const filledIn = (key: string) => text.replaceAll(keyPlaceholder, key);
    return apiKey === undefined ? { text, copied: async () => filledIn(await read()) } : { text: filledIn(apiKey) };
  };
  return (
    <Stack gap="4">
      <Heading as="h4" size="sm">
        Configuration snippets
      </Heading>
      <Text textStyle="sm" color="fg.muted">
        {`${keyPlaceholder} stands for the key until you show it. What you copy has the key in it, which is entered in the audit log.`}
      </Text>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <ChoiceField
          label="Voice platform"
          options={platforms}
          value={platform}
          onChange={({ target }) => setPlatform(target.value)}
          error={undefined}
        />
        {offices.length === 0 ? null : (
          <ChoiceField
            label="Office"
            options={[{ value: "", label: "All offices" }, ...offices.map(({ id, name }) => ({ value: id, label: name }))]}
            value={officeId}
            onChange={({ target }) => setOfficeId(target.value)}
            error={undefined}
          />
        )}
      </SimpleGrid>
      <Loadable loaded={loaded} what="configuration snippets" skeleton={<RowSkeletons />}>
        {(list) => (
          <chakra.ul listStyleType="none">
            {list
              .filter((snippet) => snippet.platform === platform)
              .map((snippet, index) => (
                <chakra.li key={snippet.id} borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
                  <Disclosure title={snippet.title} isOpen={index === 0}>
                    <chakra.p color="fg.muted" mb="3" overflowWrap="anywhere">
                      {snippet.about}
                    </chakra.p>
                    <CodeBlock label={snippet.title} {...looksOf(snippet)} onCopied={told} onRefused={refused} />
                  </Disclosure>
                </chakra.li>
              ))}
          </chakra.ul>
        )}
      </Loadable>
    </Stack>
  );
};
