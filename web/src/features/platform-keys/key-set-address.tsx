import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { usePublicConfig } from "../../lib/api/public-config.ts";
import { CopyButton } from "../../components/data/copy-button.tsx";

/** Where EHR systems fetch the public keys from; it is registered at each of them once. */
export const KeySetAddress = () => {
  const address = `${usePublicConfig()?.origin ?? window.location.origin}/.well-known/jwks.json`;
  return (
    <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
      <Text textStyle="sm" color="fg.muted" flex="1" minW="12rem" overflowWrap="anywhere">
        {`Key set for EHR systems: ${address}`}
      </Text>
      <CopyButton what="key set address" text={address} />
    </Flex>
  );
};
