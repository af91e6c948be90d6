import { Flex } from "@chakra-ui/react/flex";
import { Spinner } from "@chakra-ui/react/spinner";
import { Text } from "@chakra-ui/react/text";

/** Fills the place of a page that is on its way. */
export const Waiting = ({ text }: { text: string }) => (
  <Flex role="status" direction="column" align="center" justify="center" gap="4" minH="60vh" color="fg.muted">
    <Spinner size="lg" color="teal.solid" aria-hidden />
    <Text>{text}</Text>
  </Flex>
);
