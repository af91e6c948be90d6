import { Container } from "@chakra-ui/react/container";
import type { Role } from "@vitaline/contract";
import { useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { areas, destinationAfterLogin } from "../../app/areas.ts";
import { useAuth } from "../../app/auth.tsx";
import { signedOutNotices } from "../../app/session.ts";
import { Waiting } from "../../components/waiting.tsx";
import { LoginCard } from "./login-card.tsx";
import { WrongLoginPage } from "./wrong-login-page.tsx";

/** Where a role signs in. Whoever signs in here goes to their own area; whoever comes signed in with the other role is told so. */
const LoginPage = ({ forRole }: { forRole: Role }) => {
  const { session, signIn } = useAuth();
  const { state } = useLocation();
  const [hasSignedInHere, setHasSignedInHere] = useState(false);

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
  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      <LoginCard
        forRole={forRole}
        notice={signedOutNotices[session.reason]}
        onSignedIn={(signedIn) => {
          setHasSignedInHere(true);
          signIn(signedIn);
        }}
      />
    </Container>
  );
};

export default LoginPage;
