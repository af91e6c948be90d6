import { chakra } from "@chakra-ui/react/styled-system";
import type { Snippet } from "@vitaline/contract";
import type { ComponentProps } from "react";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";

type Props = {
  snippets: readonly Snippet[];
  platform: Snippet["platform"];
  /** How one is shown and copied. */ looksOf: (snippet: Snippet) => Omit<ComponentProps<typeof CodeBlock>, "label">;
};

/** What is pasted into one platform, the first of it unfolded. */
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
