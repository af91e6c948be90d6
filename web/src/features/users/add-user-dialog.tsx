import { dashboard, type NewUser, users } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { showOnce, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import {
  firstPasswordOptions,
  firstPasswordHints,
  requiredMessages,
  needsCredentials,
  emptyUser,
  TypedNewUser,
  type TypedUser,
} from "./user-values.ts";
import { UserFields } from "./user-fields.tsx";

type Props = {
  tenantId?: string;
  onClose: () => void;
};

const AddUserDialog = ({ tenantId = "", onClose }: Props) => {
  const refresh = useRefresh();
  const refreshList = () => refresh(users.listUsers, dashboard.platformMetrics);
  const { field, form, failure, isBusy, submit } = useRequestForm<TypedUser, NewUser>({
    schema: TypedNewUser,
    defaultValues: { ...emptyUser, tenantId },
    send: async (body) => {
      try {
        await call(users.createUser, { body });
      } catch (error) {
        // The user may exist despite the error, for example if only the invitation failed.
        if (isUncertain(error)) void refreshList().catch(() => undefined);
        throw error;
      }
      announce({
        type: "success",
        title: body.invite ? "Invitation sent" : "User created",
        description: body.invite ? `${body.email} gets a link to choose a password.` : `${body.email} can sign in now.`,
      });
      onClose();
      await refreshList();
    },
  });
  const [role, entry, access] = useWatch({ control: form.control, name: ["role", "entry", "access"] });
  const told = showOnce(needsCredentials, requiredMessages, field);
  return (
    <Dialog title="Add New User" isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure ?? told.sentence}>
        <UserFields isNew field={told.field} role={role} access={access} clearTenant={() => form.setValue("tenantId", "")}>
          <ChoiceField label="First sign-in" hint={firstPasswordHints[entry]} options={firstPasswordOptions} {...field("entry")} />
          {entry === "password" ? (
            <TextField
              label="Password"
              type="password"
              autoComplete="new-password"
              hint="At least 12 characters."
              {...told.field("password")}
            />
          ) : null}
        </UserFields>
        <DialogButtons
          isBusy={isBusy}
          action={entry === "invite" ? "Send Invitation" : "Create User"}
          busyAction="Adding..."
          onCancel={onClose}
        />
      </FormFrame>
    </Dialog>
  );
};

export default AddUserDialog;
