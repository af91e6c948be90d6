import { Container } from "@chakra-ui/react/container";
import type { Role, SignedIn } from "@vitaline/contract";
import { lazy, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { Button } from "@chakra-ui/react/button";
import { Card } from "@chakra-ui/react/card";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { areas } from "../../lib/session/areas.ts";
import { destinationAfterLogin } from "../../lib/session/admission.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";
import { SignInSteps } from "./sign-in-steps.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import type { SignedOutReason } from "../../lib/session/session.ts";

const signedOutNotices: Partial<Record<SignedOutReason, string>> = {
  idle: "You were signed out because you were inactive. Please sign in again.",
  expired: "Your session has ended. Please sign in again.",
  unverified: "We could not verify your session. Please sign in again.",
};

const OwnPasswordCard = lazy(() => import("../accounts/own-password-card.tsx"));
const EnrollmentCard = lazy(() => import("../accounts/enrollment-card.tsx"));

/** The login page of a role. A user with a required action does that first. A user of the other role sees a notice. */
const LoginPage = ({ forRole }: { forRole: Role }) => {
  const { session, signIn, recheck } = useAuth();
  const { state } = useLocation();
  const [hasSignedInHere, setHasSignedInHere] = useState(false);
  const [typedPassword, setTypedPassword] = useState<string>();

  if (session.status === "checking") return <Waiting text="Checking your session..." />;
  if (session.status === "signed-in") {
    const { user } = session;
    if (user.role === forRole || hasSignedInHere)
      return <Navigate to={destinationAfterLogin((state as { from?: unknown } | null)?.from, user.role)} replace />;
    return (
      <Container py="16" maxW="lg">
        <WrongLoginPage signedInAs={user.role} home={areas[user.role].home} />
      </Container>
    );
  }

  const enter = (signedIn: SignedIn, password?: string) => {
    setHasSignedInHere(true);
    setTypedPassword(password);
    signIn(signedIn);
  };
  const goOn = async () => {
    setHasSignedInHere(true);
    await recheck();
  };
  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {session.status === "signed-out" ? (
        <SignInSteps forRole={forRole} notice={signedOutNotices[session.reason]} isStep={session.reason === "left"} onSignedIn={enter} />
      ) : session.duty === "password_change" ? (
        <OwnPasswordCard typedPassword={typedPassword} wayOut={<LogOutInsteadButton />} onChanged={enter} />
      ) : (
        <EnrollmentCard
          lead="Your account needs a second step at sign-in: a code from an authenticator app on your phone."
          wayOut={<LogOutInsteadButton />}
          onDone={goOn}
        />
      )}
    </Container>
  );
};

const LogOutInsteadButton = () => {
  const { signOut } = useAuth();
  return (
    <Button size="sm" variant="outline" alignSelf="flex-start" onClick={signOut}>
      Log out and do it later
    </Button>
  );
};

const texts = {
  tenant_admin: { who: "a tenant admin", goOn: "Go to tenant dashboard", switchRole: "Log out and log in as system admin" },
  system_admin: { who: "a system admin", goOn: "Go to admin dashboard", switchRole: "Log out and log in as tenant admin" },
};

/** Logging out leads to this page's login form. */
const WrongLoginPage = ({ signedInAs, home }: { signedInAs: Role; home: string }) => {
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

export default LoginPage;
