import { Credentials, type Role, sessions, type SignedIn } from "@vitaline/contract";
import { useState } from "react";
import { Alert } from "@chakra-ui/react/alert";
import { HStack } from "@chakra-ui/react/stack";
import { ApiError, explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { CodeCard } from "./code-card.tsx";
import { FormCard } from "../../components/form/form-card.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";

type Props = {
  forRole: Role;
  notice: string | undefined;
  /** The card replaces another one at the same address. */
  isStep: boolean;
  /** `password` spares the user typing it again for a required password change. */
  onSignedIn: (signedIn: SignedIn, password: string) => void;
};

/** Email and password, then the second factor, sent together with them. */
export const SignInSteps = ({ forRole, notice, isStep, onSignedIn }: Props) => {
  const [known, setKnown] = useState<Credentials>();
  const [isBack, setIsBack] = useState(isStep);

  const enter = async (credentials: Credentials) => onSignedIn(await call(sessions.login, { body: credentials }), credentials.password);

  if (known) {
    const goBack = () => {
      setKnown(undefined);
      setIsBack(true);
    };
    return <CodeCard send={(totpCode) => enter({ ...known, totpCode })} onBack={goBack} />;
  }
  const send = async (credentials: Credentials) => {
    try {
      await enter(credentials);
    } catch (error) {
      if (!wantsCode(error)) throw error;
      setKnown(credentials);
    }
  };
  return <LoginCard forRole={forRole} notice={notice} isStep={isBack} send={send} />;
};

const wantsCode = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "totp_required";

type LoginCardProps = {
  forRole: Role;
  notice: string | undefined;
  isStep: boolean;
  send: (credentials: Credentials) => Promise<void>;
};

const texts = {
  tenant_admin: {
    title: "Tenant Login",
    lead: "Sign in to your organization's dashboard.",
    other: { to: "/admin-login", text: "System admin login" },
  },
  system_admin: { title: "System Admin Login", lead: "Sign in to run the platform.", other: { to: "/login", text: "Tenant login" } },
};

const LoginCard = ({ forRole, notice, isStep, send }: LoginCardProps) => {
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

const LoginForm = ({ send }: { send: (credentials: Credentials) => Promise<void> }) => {
  const { field, failure, isBusy, submit } = useRequestForm<Credentials>({
    schema: Credentials,
    defaultValues: { email: "", password: "" },
    send,
    refuse: (error, { setFocus }) => {
      setFocus("password", { shouldSelect: true });
      return loginFailure(error);
    },
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field("password")} />
      <SubmitButton isBusy={isBusy} busyText="Signing in...">
        Sign in
      </SubmitButton>
    </FormFrame>
  );
};

/** The server's text, else "Login failed" with the reason if known. */
export const loginFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return `Login failed. ${explain(error)}`;
  return error.problem?.error ?? "Login failed";
};
