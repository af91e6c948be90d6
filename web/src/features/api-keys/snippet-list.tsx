import { chakra } from "@chakra-ui/react/styled-system";
import type { Office, Snippet } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { ChoiceField } from "../../components/form/fields.tsx";
import { platformNames } from "../../lib/format/labels.ts";

const platforms: readonly { value: Snippet["platform"]; label: string }[] = [
  { value: "vapi", label: platformNames.vapi },
  { value: "retellai", label: platformNames.retellai },
  { value: "elevenlabs", label: platformNames.elevenlabs },
  { value: "openai", label: platformNames.openai },
  { value: "mcp", label: "Any MCP client" },
];

export const readPlatform = (name: string | undefined): Snippet["platform"] =>
  platforms.find(({ value }) => value === name)?.value ?? "vapi";

type SnippetChoiceProps = {
  platform: Snippet["platform"];
  onPlatform: (platform: string) => void;
  offices: readonly Pick<Office, "id" | "name">[];
  /** "" for all offices */
  officeId: string;
  onOffice: (officeId: string) => void;
};

export const SnippetChoice = ({ platform, onPlatform, offices, officeId, onOffice }: SnippetChoiceProps) => (
  <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" maxW="2xl">
    <ChoiceField
      label="Voice platform"
      options={platforms}
      value={platform}
      onChange={({ target }) => onPlatform(target.value)}
      error={undefined}
    />
    {offices.length === 0 ? null : (
      <ChoiceField
        label="Office"
        options={[{ value: "", label: "All offices" }, ...offices.map(({ id, name }) => ({ value: id, label: name }))]}
        value={officeId}
        onChange={({ target }) => onOffice(target.value)}
        error={undefined}
      />
    )}
  </SimpleGrid>
);

type Props = {
  snippets: readonly Snippet[];
  platform: Snippet["platform"];
  looksOf: (snippet: Snippet) => Omit<ComponentProps<typeof CodeBlock>, "label">;
};

export const SnippetList = ({ snippets, platform, looksOf }: Props) => (
  <chakra.ul listStyleType="none">
    {snippets
      .filter((snippet) => snippet.platform === platform)
      .map((snippet, index) => (
        <chakra.li key={snippet.id} borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
          <Disclosure title={snippet.title} isOpen={index === 0}>
            <chakra.p color="fg.muted" mb="3" overflowWrap="anywhere">
              {snippet.about}
            </chakra.p>
            <CodeBlock label={snippet.title} {...looksOf(snippet)} />
          </Disclosure>
        </chakra.li>
      ))}
  </chakra.ul>
);
