import { accounts, type SignedIn } from "@vitaline/contract";
import type { ReactNode } from "react";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { NewPasswordFields, ChangedPassword } from "./new-password-fields.tsx";

type Props = {
  /** The password of this login, if known. */
  typedPassword: string | undefined;
  /** The button that leaves without a new password. */
  wayOut: ReactNode;
  onChanged: (signedIn: SignedIn) => void;
};

const OwnPasswordCard = ({ typedPassword, wayOut, onChanged }: Props) => {
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: ChangedPassword,
    defaultValues: { currentPassword: typedPassword ?? "", newPassword: "", repeated: "" },
    send: async ({ currentPassword, newPassword }) =>
      onChanged(await call(accounts.changePassword, { body: { currentPassword, newPassword } })),
  });
  const current = field("currentPassword");
  return (
    <FormCard
      title="Choose a new password"
      lead="Someone else chose the password you signed in with. Choose one that only you know to continue."
      isStep
    >
      <FormFrame onSubmit={submit} failure={failure}>
        {typedPassword === undefined || current.error !== undefined ? (
          <TextField label="Current password" type="password" autoComplete="current-password" {...current} />
        ) : null}
        <NewPasswordFields first={field("newPassword")} repeated={field("repeated")} />
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save password
        </SubmitButton>
      </FormFrame>
      {wayOut}
    </FormCard>
  );
};

export default OwnPasswordCard;
