import { Alert } from "@chakra-ui/react/alert";
import { Card } from "@chakra-ui/react/card";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { Role, SignedIn } from "@vitaline/contract";
import { PageHeading } from "../../components/page-heading.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { LoginForm } from "./login-form.tsx";

const texts = {
  tenant_admin: {
    title: "Tenant Login",
    lead: "Sign in to your organization's dashboard.",
    other: { to: "/admin-login", text: "System admin login" },
  },
  system_admin: { title: "System Admin Login", lead: "Sign in to run the platform.", other: { to: "/login", text: "Tenant login" } },
};

type Props = { forRole: Role; notice: string | undefined; onSignedIn: (signedIn: SignedIn) => void };

export const LoginCard = ({ forRole, notice, onSignedIn }: Props) => {
  const { title, lead, other } = texts[forRole];
  return (
    <Card.Root size="lg">
      <meta name="robots" content="noindex" />
      <Card.Body gap="6">
        <div>
          <PageHeading size="2xl">{title}</PageHeading>
          <Text color="fg.muted">{lead}</Text>
        </div>
        {notice ? (
          <Alert.Root status="warning" role="alert">
            <Alert.Description>{notice}</Alert.Description>
          </Alert.Root>
        ) : null}
        <LoginForm onSignedIn={onSignedIn} />
        <HStack gap="5" wrap="wrap" textStyle="sm">
          <TextLink to="/contact">Contact support</TextLink>
          <TextLink to={other.to}>{other.text}</TextLink>
        </HStack>
      </Card.Body>
    </Card.Root>
  );
};
