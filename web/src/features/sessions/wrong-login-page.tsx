import { Button } from "@chakra-ui/react/button";
import { Card } from "@chakra-ui/react/card";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { Role } from "@vitaline/contract";
import { useAuth } from "../../lib/session/auth.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";

const texts = {
  tenant_admin: { who: "a tenant admin", goOn: "Go to tenant dashboard", switchRole: "Log out and log in as system admin" },
  system_admin: { who: "a system admin", goOn: "Go to admin dashboard", switchRole: "Log out and log in as tenant admin" },
};

/** Shown on one role's sign-in page to a person signed in with the other. Logging out leaves them on this page, at the form. */
export const WrongLoginPage = ({ signedInAs, home }: { signedInAs: Role; home: string }) => {
  const { signOut } = useAuth();
  const { who, goOn, switchRole } = texts[signedInAs];
  return (
    <Card.Root size="lg">
      <meta name="robots" content="noindex" />
      <Card.Body gap="5">
        <PageHeading size="2xl">Wrong Login Page</PageHeading>
        <Text color="fg.muted">{`You are signed in as ${who}, and this page is for the other role.`}</Text>
        <HStack gap="3" wrap="wrap">
          <ButtonLink to={home}>{goOn}</ButtonLink>
          <Button variant="outline" onClick={signOut} flexShrink="1" whiteSpace="normal" h="auto" minH="10" py="2">
            {switchRole}
          </Button>
        </HStack>
      </Card.Body>
    </Card.Root>
  );
};
