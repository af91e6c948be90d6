import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { useState } from "react";
import { useParams } from "react-router-dom";
import { useAuth } from "../../lib/session/auth.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { FormCard } from "../../components/form/form-card.tsx";
import { type MailedLink, mailedLinks } from "./mailed-links.ts";
import { PasswordByLinkCard } from "./password-by-link-card.tsx";

/** Where a mailed link leads: a new password, then the way to sign in with it. */
const MailedLinkPage = ({ link }: { link: MailedLink }) => {
  const { token = "" } = useParams();
  const { session, signOut } = useAuth();
  const [outcome, setOutcome] = useState<"done" | "dead">();

  const finish = () => {
    // Whoever is signed in here is another person, or has just ended this session, too.
    if (session.status !== "signed-out") signOut();
    setOutcome("done");
  };

  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {/* The address is a secret: it goes along with no request. */}
      <meta name="referrer" content="no-referrer" />
      {outcome === undefined ? (
        <PasswordByLinkCard link={link} token={token} onDone={finish} onDead={() => setOutcome("dead")} />
      ) : outcome === "done" ? (
        <FormCard key="done" {...mailedLinks[link].done} isStep>
          <ButtonLink to="/login" alignSelf="flex-start">
            Sign in
          </ButtonLink>
        </FormCard>
      ) : (
        <DeadLinkCard link={link} />
      )}
    </Container>
  );
};

const DeadLinkCard = ({ link }: { link: MailedLink }) => {
  const { title, lead, wayOut } = mailedLinks[link].dead;
  return (
    <FormCard title={title} lead={lead} isStep>
      <HStack gap="3" wrap="wrap">
        <ButtonLink to={wayOut.to}>{wayOut.text}</ButtonLink>
        <ButtonLink to="/contact" variant="outline">
          Contact support
        </ButtonLink>
      </HStack>
    </FormCard>
  );
};

export default MailedLinkPage;
