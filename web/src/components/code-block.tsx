import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { CopyButton, type Copying } from "./copy-button.tsx";

type Props = Pick<Copying, "onCopied" | "onRefused"> & {
  /** Names it to screen readers, and what the button copies. */ label: string;
  text: string;
  /** Copied instead of what is shown. */ copied?: Copying["text"];
};

/** Text for a machine, to be copied whole; the keyboard reaches it to scroll. */
export const CodeBlock = ({ label, text, copied = text, ...told }: Props) => (
  <chakra.div borderWidth="1px" borderColor="border" borderRadius="l2" bg="bg.subtle" minW="0" w="full">
    <Flex justify="space-between" align="center" gap="3" ps="4" pe="2" py="2" borderBottomWidth="1px" borderColor="border">
      <chakra.span textStyle="sm" fontWeight="medium" color="fg.muted" minW="0" overflowWrap="anywhere">
        {label}
      </chakra.span>
      <CopyButton what={label} text={copied} {...told} />
    </Flex>
    <chakra.pre
      tabIndex={0}
      role="region"
      aria-label={label}
      m="0"
      px="4"
      py="3"
      maxH="96"
      overflow="auto"
      fontFamily="mono"
      textStyle="xs"
      outline="0"
      focusVisibleRing="inside"
      // A single line, such as an address, has no indents to keep.
      {...(!text.includes("\n") && { whiteSpace: "pre-wrap", overflowWrap: "anywhere" })}
    >
      {text}
    </chakra.pre>
  </chakra.div>
);
