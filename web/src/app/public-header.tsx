import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import { useLocation } from "react-router-dom";
import { ButtonLink } from "../components/button-link.tsx";
import { ColourModeButton } from "../components/colour-mode-button.tsx";
import { Logo } from "../components/logo.tsx";
import { TextLink } from "../components/text-link.tsx";
import { homeOf } from "./areas.ts";
import { useAuth } from "./auth.tsx";

export const PublicHeader = () => {
  const { user } = useAuth();
  const isSigningIn = useLocation().pathname.endsWith("login");
  return (
    <Box as="header" position="sticky" top="0" zIndex="sticky" bg="bg" borderBottomWidth="1px" borderColor="border.muted">
      <Container>
        <Flex h="16" align="center" justify="space-between" gap="4">
          <TextLink to="/" variant="plain" aria-label="Vitaline home">
            <Logo />
          </TextLink>
          <HStack as="nav" aria-label="Main" gap={{ base: "1", sm: "3" }}>
            <ColourModeButton />
            {isSigningIn ? null : <ButtonLink to={user ? homeOf(user.role) : "/login"}>{user ? "Open dashboard" : "Sign in"}</ButtonLink>}
          </HStack>
        </Flex>
      </Container>
    </Box>
  );
};
