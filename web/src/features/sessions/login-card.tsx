import { Alert } from "@chakra-ui/react/alert";
import { HStack } from "@chakra-ui/react/stack";
import type { Credentials, Role } from "@vitaline/contract";
import { FormCard } from "../../components/form/form-card.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { LoginForm } from "./login-form.tsx";

const texts = {
  tenant_admin: {
    title: "Tenant Login",
    lead: "Sign in to your organization's dashboard.",
    other: { to: "/admin-login", text: "System admin login" },
  },
  system_admin: { title: "System Admin Login", lead: "Sign in to run the platform.", other: { to: "/login", text: "Tenant login" } },
};

type Props = {
  forRole: Role;
  notice: string | undefined;
  /** Back from a later step. */ isStep: boolean;
  send: (credentials: Credentials) => Promise<void>;
};

export const LoginCard = ({ forRole, notice, isStep, send }: Props) => {
  const { title, lead, other } = texts[forRole];
  return (
    <FormCard title={title} lead={lead} isStep={isStep}>
      {notice ? (
        <Alert.Root status="warning" role="alert">
          <Alert.Description>{notice}</Alert.Description>
        </Alert.Root>
      ) : null}
      <LoginForm send={send} />
      <HStack gap="5" wrap="wrap" textStyle="sm">
        <TextLink to="/forgot-password">Forgot password?</TextLink>
        <TextLink to="/contact">Contact support</TextLink>
        <TextLink to={other.to}>{other.text}</TextLink>
      </HStack>
    </FormCard>
  );
};
