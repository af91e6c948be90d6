import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { TextLink } from "../components/text-link.tsx";

export const PublicFooter = () => (
  <Box as="footer" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
    <Container py="8">
      <Flex direction={{ base: "column", md: "row" }} justify="space-between" gap="4" textStyle="sm" color="fg.muted">
        <Text>Vitaline. Voice agents that work inside the record.</Text>
        <HStack as="nav" aria-label="Footer" gap="5" wrap="wrap">
          <TextLink to="/" variant="plain">
            Home
          </TextLink>
          <TextLink to="/contact" variant="plain">
            Contact support
          </TextLink>
          <TextLink to="/login" variant="plain">
            Tenant login
          </TextLink>
          <TextLink to="/admin-login" variant="plain">
            System admin login
          </TextLink>
        </HStack>
      </Flex>
    </Container>
  </Box>
);
