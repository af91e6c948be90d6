import { Container } from "@chakra-ui/react/container";
import { accounts, ForgottenPassword } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { MailSentCard } from "./mail-sent-card.tsx";

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
    <FormCard title="Forgot your password?" lead="Tell us your email address, and we send you a link to choose a new one.">
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

/** Asks for a mail, and answers the same for every address. */
const ForgotPasswordPage = () => {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Container py={{ base: "8", md: "16" }} maxW="lg">
      {sentTo === undefined ? <AskForMail onSent={setSentTo} /> : <MailSentCard email={sentTo} />}
    </Container>
  );
};

export default ForgotPasswordPage;
