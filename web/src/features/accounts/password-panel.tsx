import { accounts } from "@vitaline/contract";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { NewPasswordFields, ChangedPassword } from "./new-password-fields.tsx";

const ChangePassword = ({ onChanged }: { onChanged: () => void }) => {
  const { signIn } = useAuth();
  const { mutate } = useSWRConfig();
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: ChangedPassword,
    defaultValues: { currentPassword: "", newPassword: "", repeated: "" },
    send: async ({ currentPassword, newPassword }) => {
      // The server ends all sessions and opens a new one for this browser.
      signIn(await call(accounts.changePassword, { body: { currentPassword, newPassword } }));
      announce({ type: "success", title: "Password changed", description: "You are signed out everywhere else." });
      onChanged();
      await mutate(() => true);
    },
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField label="Current password" type="password" autoComplete="current-password" {...field("currentPassword")} />
      <NewPasswordFields first={field("newPassword")} repeated={field("repeated")} />
      <SubmitButton isBusy={isBusy} busyText="Saving...">
        Change password
      </SubmitButton>
    </FormFrame>
  );
};

export const PasswordPanel = () => {
  const [changes, setChanges] = useState(0);
  return (
    <Panel title="Password" description="Changing it signs you out on every other device.">
      <ChangePassword key={changes} onChanged={() => setChanges((before) => before + 1)} />
    </Panel>
  );
};
