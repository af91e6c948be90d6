import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { accounts, type Invitation, sessions } from "@vitaline/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { areas, homeOf } from "../../lib/session/areas.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { FormCard } from "../../components/form/form-card.tsx";
import { inviteLead, isDeadLink, type MailedLink, mailedLinks } from "./mailed-links.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { FirstPassword, NewPasswordFields } from "./new-password-fields.tsx";

const MailedLinkPage = ({ link }: { link: MailedLink }) => {
  const { token = "" } = useParams();
  const { session, signIn, signOut } = useAuth();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<"done" | "dead">();
  const invitation = useInvitation(link === "invite" ? token : undefined, () => setOutcome("dead"));

  const finish = async (password: string) => {
    // The session belongs to another user, or the new password has ended it.
    if (session.status !== "signed-out") signOut();
    if (invitation) {
      const signedIn = await call(sessions.login, { body: { email: invitation.email, password } }).catch(() => undefined);
      if (signedIn) {
        signIn(signedIn);
        // The login page leads on to an action that is required first.
        return navigate(signedIn.pending ? areas[signedIn.user.role].login : homeOf(signedIn.user.role), { replace: true });
      }
    }
    setOutcome("done");
  };

  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {/* The address contains a secret token, which must not appear in a Referer header. */}
      <meta name="referrer" content="no-referrer" />
      {outcome === undefined ? (
        <PasswordByLinkCard
          link={link}
          lead={invitation ? inviteLead(invitation) : mailedLinks[link].lead}
          token={token}
          onDone={finish}
          onDead={() => setOutcome("dead")}
        />
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

/** Whom the invitation is for, once it is known. The page works without, if the question fails. */
const useInvitation = (token: string | undefined, onDead: () => void): Invitation | undefined => {
  const [found, setFound] = useState<Invitation>();
  const tellDead = useEffectEvent(onDead);
  useEffect(() => {
    if (token === undefined) return undefined;
    let isGone = false;
    call(accounts.readInvitation, { body: { token } }).then(
      (invitation) => isGone || setFound(invitation),
      (error: unknown) => {
        if (!isGone && isDeadLink(error)) tellDead();
      },
    );
    return () => {
      isGone = true;
    };
  }, [token]);
  return found;
};

type Props = { link: MailedLink; lead: string; token: string; onDone: (password: string) => Promise<void> | void; onDead: () => void };

const PasswordByLinkCard = ({ link, lead, token, onDone, onDead }: Props) => {
  const { route, title } = mailedLinks[link];
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
      await onDone(password);
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
