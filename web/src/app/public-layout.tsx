import { Box } from "@chakra-ui/react/box";
import { ChakraProvider, createSystem } from "@chakra-ui/react/styled-system";
import { SkipNavLink } from "@chakra-ui/react/skip-nav";
import { Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Outlet, useLocation } from "react-router-dom";
import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import Menu from "lucide-react/dist/esm/icons/menu.mjs";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { Text } from "@chakra-ui/react/text";
import { FailedPage } from "../components/layout/failed-page.tsx";
import { Waiting } from "../components/feedback/waiting.tsx";
import { ButtonLink, TextLink } from "../components/layout/links.tsx";
import { ColorModeButton, Logo } from "../components/layout/logo.tsx";
import { homeOf } from "../lib/session/areas.ts";
import { useAuth } from "../lib/session/auth.tsx";
import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { base, publicRecipes } from "../theme/base.ts";

/** Recipes are listed one by one: a whole theme would weigh more than the pages. */
const systemPublic = createSystem(defaultBaseConfig, base, { theme: publicRecipes });

const PublicLayout = () => (
  <ChakraProvider value={systemPublic}>
    <SkipNavLink id="content">Skip to content</SkipNavLink>
    <Box display="flex" flexDirection="column" minH="dvh" bg="bg" color="fg">
      <PublicHeader />
      <Box as="main" id="content" tabIndex={-1} flex="1">
        <ErrorBoundary FallbackComponent={FailedPage} resetKeys={[useLocation().pathname]}>
          <Suspense fallback={<Waiting text="Loading page..." />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </Box>
      <PublicFooter />
    </Box>
  </ChakraProvider>
);

const PublicHeader = () => {
  const { user } = useAuth();
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  // Navigation closes the menu.
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
          <ColorModeButton />
          {isSigningIn ? null : user ? (
            // A phone shows this link in the menu.
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

const openPages = [
  { to: "/", text: "Home" },
  { to: "/pricing", text: "Pricing" },
  { to: "/security", text: "Security" },
  { to: "/docs", text: "Docs" },
  { to: "/contact", text: "Contact" },
] as const;

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

const groups = [
  [
    { to: "/", text: "Home" },
    { to: "/pricing", text: "Pricing" },
    { to: "/docs", text: "Documentation" },
    { to: "/faq", text: "FAQ" },
  ],
  [
    { to: "/security", text: "Security and compliance" },
    { to: "/privacy", text: "Privacy" },
    { to: "/terms", text: "Terms" },
    { to: "/dashboard", text: "Status" },
  ],
  [
    { to: "/contact", text: "Contact support" },
    { to: "/login", text: "Tenant login" },
    { to: "/admin-login", text: "System admin login" },
  ],
] as const;

const PublicFooter = () => (
  <Box as="footer" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
    <Container py="8">
      <Flex direction={{ base: "column", lg: "row" }} justify="space-between" gap="6" textStyle="sm" color="fg.muted">
        <Text>Vitaline. Voice agents that work inside the record.</Text>
        <Flex as="nav" aria-label="Footer" columnGap="14" rowGap="6" wrap="wrap">
          {groups.map((links) => (
            <Flex key={links[0].to} as="ul" direction="column" gap="3" listStyleType="none">
              {links.map(({ to, text }) => (
                <li key={to}>
                  <TextLink to={to} variant="plain">
                    {text}
                  </TextLink>
                </li>
              ))}
            </Flex>
          ))}
        </Flex>
      </Flex>
    </Container>
  </Box>
);

export default PublicLayout;
