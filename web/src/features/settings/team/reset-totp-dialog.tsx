import { Text } from "@chakra-ui/react/text";
import { type ProofOfPassword, team, type User } from "@vitaline/contract";
import { useState } from "react";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { isUncertain } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { showAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { OwnPasswordField, wantsPassword } from "../../accounts/own-password-field.tsx";
import { nameOf } from "../../users/user-status.tsx";

type Props = { colleague: User; onDone: (user: User, said: string) => void; onClose: () => void };

export const ResetTotpDialog = ({ colleague, onDone, onClose }: Props) => {
  const refresh = useRefresh();
  const [isPasswordWanted, setIsPasswordWanted] = useState(false);
  const { field, form, failure, isBusy, submit } = useRequestForm<ProofOfPassword>({
    schema: team.resetColleagueTotp.body,
    defaultValues: {},
    send: async (body) => {
      const changed = await call(team.resetColleagueTotp, { params: { userId: colleague.id }, body });
      onDone(changed, `Two-factor sign-in is off. A link to choose a new password was emailed to ${changed.email}.`);
    },
    refuse: (error, about) => {
      if (wantsPassword(error)) setIsPasswordWanted(true);
      // The second factor may be off despite the error, for example if only the mail failed.
      if (isUncertain(error)) void refresh(team.listTeam).catch(() => undefined);
      return showAtFields<ProofOfPassword>(["currentPassword"])(error, about);
    },
  });
  return (
    <Dialog title="Reset Second Factor" description={nameOf(colleague)} isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <Text>
          For colleagues who have lost their authenticator and their recovery codes. They are signed out everywhere, and their password
          stops working. They get an email with a link to choose a new one, which works once and expires in an hour.
        </Text>
        {isPasswordWanted ? <OwnPasswordField label="Your password" {...field("currentPassword")} /> : null}
        <DialogButtons isBusy={isBusy} action="Reset Second Factor" busyAction="Resetting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
