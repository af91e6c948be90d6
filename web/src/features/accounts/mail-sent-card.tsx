import { Text } from "@chakra-ui/react/text";
import { ButtonLink, TextLink } from "../../components/layout/links.tsx";
import { FormCard } from "../../components/form/form-card.tsx";

export const MailSentCard = ({ email }: { email: string }) => (
  <FormCard title="Check your email" lead={`If an account belongs to ${email}, a link is on its way there.`} isStep>
    <Text color="fg.muted">
      The link works once, for an hour. Nothing there after a few minutes? Look among the spam, or{" "}
      <TextLink to="/contact">contact support</TextLink>.
    </Text>
    <ButtonLink to="/login" variant="outline" alignSelf="flex-start">
      Back to sign-in
    </ButtonLink>
  </FormCard>
);
