import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import LogOut from "lucide-react/dist/esm/icons/log-out.mjs";
import { ColourModeButton } from "../components/colour-mode-button.tsx";
import { Logo } from "../components/logo.tsx";
import { TextLink } from "../components/text-link.tsx";
import { accountPath, homeOf, roleNames } from "./areas.ts";
import { useAuth } from "./auth.tsx";

/** Who is signed in, for which organisation, and the way out. */
export const AppHeader = () => {
  const { user, signOut } = useAuth();
  if (!user) return null;
  return (
    <Box as="header" bg="bg.panel" borderBottomWidth="1px" borderColor="border">
      <Container>
        <Flex minH="16" py="2.5" align="center" justify="space-between" columnGap="4" rowGap="2" wrap={{ base: "wrap", md: "nowrap" }}>
          <TextLink to={homeOf(user.role)} variant="plain" aria-label="Vitaline dashboard">
            <Logo />
          </TextLink>
          <HStack
            order={{ base: "1", md: "0" }}
            flexBasis={{ base: "100%", md: "auto" }}
            justify={{ base: "space-between", md: "flex-end" }}
            flex={{ md: "1" }}
            gap="3"
            minW="0"
          >
            <TextLink to={accountPath} variant="plain" display="block" textAlign={{ md: "end" }} minW="0">
              <VisuallyHidden>Your account: </VisuallyHidden>
              <Text textStyle="sm" fontWeight="semibold" truncate>
                {`${user.firstName} ${user.lastName}`.trim() || user.email}
              </Text>
              <Text textStyle="xs" color="fg.muted" truncate>
                {user.email}
              </Text>
            </TextLink>
            <Badge colorPalette="teal" flexShrink="0">
              {roleNames[user.role]}
            </Badge>
          </HStack>
          <HStack gap={{ base: "1", sm: "3" }} flexShrink="0">
            <ColourModeButton />
            <Button variant="outline" onClick={signOut}>
              <LogOut aria-hidden />
              Logout
            </Button>
          </HStack>
        </Flex>
      </Container>
    </Box>
  );
};
