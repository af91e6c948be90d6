import { Container } from "@chakra-ui/react/container";
import { accounts, ForgottenPassword } from "@vitaline/contract";
import { useState } from "react";
import { Text } from "@chakra-ui/react/text";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { ButtonLink, TextLink } from "../../components/layout/links.tsx";

/** The answer is the same for every address. */
const ForgotPasswordPage = () => {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {sentTo === undefined ? <AskForMail onSent={setSentTo} /> : <MailSentCard email={sentTo} />}
    </Container>
  );
};

const AskForMail = ({ onSent }: { onSent: (email: string) => void }) => {
  const { field, failure, isBusy, submit } = useRequestForm<ForgottenPassword>({
    schema: ForgottenPassword,
    defaultValues: { email: "" },
    send: async (body) => {
      await call(accounts.forgotPassword, { body });
      onSent(body.email);
    },
  });
  return (
    <FormCard title="Forgot your password?" lead="Enter your email address, and we will send you a link to choose a new one.">
      <FormFrame onSubmit={submit} failure={failure}>
        <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
        <SubmitButton isBusy={isBusy} busyText="Sending...">
          Send link
        </SubmitButton>
      </FormFrame>
      <TextLink to="/login" textStyle="sm" alignSelf="flex-start">
        Back to sign-in
      </TextLink>
    </FormCard>
  );
};

const MailSentCard = ({ email }: { email: string }) => (
  <FormCard title="Check your email" lead={`If an account belongs to ${email}, a link is on its way there.`} isStep>
    <Text color="fg.muted">
      The link works once and expires in an hour. Nothing there after a few minutes? Look among the spam, or{" "}
      <TextLink to="/contact">contact support</TextLink>.
    </Text>
    <ButtonLink to="/login" variant="outline" alignSelf="flex-start">
      Back to sign-in
    </ButtonLink>
  </FormCard>
);

export default ForgotPasswordPage;
