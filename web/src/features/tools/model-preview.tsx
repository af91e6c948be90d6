import { maxModelCharacters, type ModelText } from "@vitaline/contract";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { formatCount } from "../../lib/format/numbers.ts";

type Props = {
  texts: readonly ModelText[];
  platform: ModelText["platform"] | undefined;
  onPick: (platform: ModelText["platform"] | undefined) => void;
};

/** What one platform puts into the agent's conversation, as the server made it. */
export const ModelPreview = ({ texts, platform, onPick }: Props) => {
  const shown = texts.find((one) => one.platform === platform) ?? texts[0];
  if (!shown) return null;
  const name = platformNames[shown.platform];
  return (
    <Stack gap="2">
      <Flex justify="space-between" align="center" columnGap="4" rowGap="2" wrap="wrap">
        <Heading as="h4" size="sm">
          What the model sees
        </Heading>
        <InlineSelect
          label="Voice platform"
          value={shown.platform}
          options={texts.map((one) => [one.platform, platformNames[one.platform]])}
          onPick={(picked) => onPick(texts.find((one) => one.platform === picked)?.platform)}
        />
      </Flex>
      <CodeBlock label={`Text for the model, ${name}`} text={shown.text} />
      <Text textStyle="sm" color="fg.muted">
        {`${formatCount(shown.text.length)} of at most ${formatCount(maxModelCharacters)} characters. Longer lists are cut to fit.`}
      </Text>
    </Stack>
  );
};
