import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { isDeadLink, type MailedLink, mailedLinks } from "./mailed-links.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { FirstPassword } from "./new-password.ts";

type Props = { link: MailedLink; token: string; onDone: () => void; onDead: () => void };

export const PasswordByLinkCard = ({ link, token, onDone, onDead }: Props) => {
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
