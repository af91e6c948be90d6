import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";

type Props = {
  /** As in "Remove {what}". */ what: string;
  isRemoved: boolean;
  onChange: (isRemoved: boolean) => void;
};

/** Below the field of a secret that the server keeps and never shows: it stays, unless another one is typed or it is removed. */
export const KeptSecret = ({ what, isRemoved, onChange }: Props) => (
  <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
    <Text as="output" textStyle="sm" color="fg.muted" flex="1" minW="12rem">
      {isRemoved ? `The stored ${what} is removed when you save.` : `A ${what} is stored. Leave the field empty to keep it.`}
    </Text>
    <Button size="sm" variant="outline" onClick={() => onChange(!isRemoved)}>
      {isRemoved ? `Keep ${what}` : `Remove ${what}`}
    </Button>
  </Flex>
);
