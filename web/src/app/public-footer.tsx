import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { TextLink } from "../components/text-link.tsx";

const links = [
  { to: "/", text: "Home" },
  { to: "/pricing", text: "Pricing" },
  { to: "/dashboard", text: "Status" },
  { to: "/contact", text: "Contact support" },
  { to: "/login", text: "Tenant login" },
  { to: "/admin-login", text: "System admin login" },
] as const;

export const PublicFooter = () => (
  <Box as="footer" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
    <Container py="8">
      <Flex direction={{ base: "column", lg: "row" }} justify="space-between" gap="4" textStyle="sm" color="fg.muted">
        <Text>Vitaline. Voice agents that work inside the record.</Text>
        <HStack as="nav" aria-label="Footer" columnGap="5" rowGap="3" wrap="wrap">
          {links.map(({ to, text }) => (
            <TextLink key={to} to={to} variant="plain">
              {text}
            </TextLink>
          ))}
        </HStack>
      </Flex>
    </Container>
  </Box>
);
