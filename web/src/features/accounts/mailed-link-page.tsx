import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { useState } from "react";
import { useParams } from "react-router-dom";
import { useAuth } from "../../lib/session/auth.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { FormCard } from "../../components/form/form-card.tsx";
import { isDeadLink, type MailedLink, mailedLinks } from "./mailed-links.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { FirstPassword, NewPasswordFields } from "./new-password-fields.tsx";

const MailedLinkPage = ({ link }: { link: MailedLink }) => {
  const { token = "" } = useParams();
  const { session, signOut } = useAuth();
  const [outcome, setOutcome] = useState<"done" | "dead">();

  const finish = () => {
    // The session belongs to another user, or the new password has ended it.
    if (session.status !== "signed-out") signOut();
    setOutcome("done");
  };

  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {/* The address contains a secret token, which must not appear in a Referer header. */}
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

type Props = { link: MailedLink; token: string; onDone: () => void; onDead: () => void };

const PasswordByLinkCard = ({ link, token, onDone, onDead }: Props) => {
  const { route, title, lead } = mailedLinks[link];
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: FirstPassword,
    defaultValues: { password: "", repeated: "" },
    send: async ({ password }) => {
      try {
        await call(route, { body: { token, password } });
      } catch (error) {
        if (!isDeadLink(error)) throw error;
        onDead();
        return;
      }
      onDone();
    },
  });
  return (
    <FormCard title={title} lead={lead}>
      <FormFrame onSubmit={submit} failure={failure}>
        <NewPasswordFields first={field("password")} repeated={field("repeated")} />
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save password
        </SubmitButton>
      </FormFrame>
    </FormCard>
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
