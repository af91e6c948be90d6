import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import type { FhirProvider } from "@vitaline/contract";
import { CopyButton } from "../../components/data/copy-button.tsx";

/** What the record system's administrator has to allow, so that its sign-in page leads back. */
export const WayBack = ({ providerType }: Pick<FhirProvider, "providerType">) => {
  const address = `${window.location.origin}/oauth/${providerType}/callback`;
  return (
    <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
      <Text textStyle="sm" color="fg.muted" flex="1" minW="12rem" overflowWrap="anywhere">
        {`Register this redirect URI at the record system: ${address}`}
      </Text>
      <CopyButton what="redirect URI" text={address} />
    </Flex>
  );
};
