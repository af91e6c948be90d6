import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import Menu from "lucide-react/dist/esm/icons/menu.mjs";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { ButtonLink } from "../components/button-link.tsx";
import { ColourModeButton } from "../components/colour-mode-button.tsx";
import { Logo } from "../components/logo.tsx";
import { TextLink } from "../components/text-link.tsx";
import { homeOf } from "./areas.ts";
import { useAuth } from "./auth.tsx";
import { openPages } from "./open-pages.ts";

const Links = ({ at }: { at: string }) =>
  openPages.map(({ to, text }) => (
    <TextLink
      key={to}
      to={to}
      variant="plain"
      py="2"
      textStyle="sm"
      aria-current={at === to ? "page" : undefined}
      _currentPage={{ color: "teal.fg" }}
    >
      {text}
    </TextLink>
  ));

export const PublicHeader = () => {
  const { user } = useAuth();
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  // A menu that was opened on one page is closed on the next.
  const isOpen = openAt === pathname;
  const isSigningIn = pathname.endsWith("login");
  return (
    <Box as="header" position="sticky" top="0" zIndex="sticky" bg="bg" borderBottomWidth="1px" borderColor="border.muted">
      <Container>
        <Flex as="nav" aria-label="Main" h="16" align="center" gap={{ base: "1", sm: "3" }}>
          <TextLink to="/" variant="plain" aria-label="Vitaline home">
            <Logo />
          </TextLink>
          <HStack gap="7" display={{ base: "none", md: "flex" }} ms="8">
            <Links at={pathname} />
          </HStack>
          <Box flex="1" />
          <ColourModeButton />
          {isSigningIn ? null : user ? (
            // On a phone it stands in the menu: there is no room for both.
            <ButtonLink to={homeOf(user.role)} display={{ base: "none", sm: "inline-flex" }}>
              Open dashboard
            </ButtonLink>
          ) : (
            <ButtonLink to="/login">Sign in</ButtonLink>
          )}
          <Button
            variant="ghost"
            px="0"
            display={{ base: "inline-flex", md: "none" }}
            aria-label="Menu"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpenAt(isOpen ? undefined : pathname)}
          >
            {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
          </Button>
        </Flex>
        <Box id="menu" hidden={!isOpen} display={{ base: isOpen ? "flex" : "none", md: "none" }} flexDirection="column" pb="3">
          <Links at={pathname} />
          {user ? (
            <TextLink to={homeOf(user.role)} variant="plain" py="2" textStyle="sm" display={{ sm: "none" }}>
              Open dashboard
            </TextLink>
          ) : null}
        </Box>
      </Container>
    </Box>
  );
};
