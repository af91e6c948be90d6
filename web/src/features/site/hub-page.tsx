import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { homeOf } from "../../app/areas.ts";
import { useAuth } from "../../app/auth.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { PageHeading } from "../../components/page-heading.tsx";

/** The way from the open site to one's own dashboard. */
const HubPage = () => {
  const { user } = useAuth();
  return (
    <Container py="16" maxW="3xl">
      <PageHeading size="4xl">Dashboard</PageHeading>
      <Text color="fg.muted" mt="3" mb="8" textStyle="lg">
        {user ? `You are signed in as ${user.email}.` : "Sign in to see your organization's calls or to run the platform."}
      </Text>
      <HStack gap="3" wrap="wrap">
        {user ? (
          <ButtonLink to={homeOf(user.role)} size="lg">
            Open your dashboard
          </ButtonLink>
        ) : (
          <>
            <ButtonLink to="/login" size="lg">
              Tenant login
            </ButtonLink>
            <ButtonLink to="/admin-login" size="lg" variant="outline">
              System admin login
            </ButtonLink>
          </>
        )}
      </HStack>
    </Container>
  );
};

export default HubPage;
