import { dashboard, type NewUser, users } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-buttons.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { TextField } from "../../components/text-field.tsx";
import { noUser, TypedNewUser, type TypedUser } from "./user-values.ts";
import { UserFields } from "./user-fields.tsx";

type Props = {
  /** For whom, where that is known already. */ tenantId?: string;
  onClose: () => void;
};

const entries = [
  { value: "invite", label: "Email an invitation" },
  { value: "password", label: "Set a password" },
];
const entryHints = {
  invite: "A link by which they choose their own password. It works once, for seven days.",
  password: "You tell it to them yourself. They have to choose another one when they first sign in.",
};

/** The user is there, only their mail is not: that is told, and the list shows them. */
const isWithoutMail = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.code === "unavailable" && /was created/.test(error.problem.error);

/** Adds a user, by an invitation unless a password is set for them. */
const AddUserDialog = ({ tenantId = "", onClose }: Props) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit } = useRequestForm<TypedUser, NewUser>({
    schema: TypedNewUser,
    defaultValues: { ...noUser, tenantId },
    send: async (body) => {
      try {
        await call(users.createUser, { body });
      } catch (error) {
        if (isWithoutMail(error)) await refresh(users.listUsers, dashboard.platformMetrics);
        throw error;
      }
      announce({
        type: "success",
        title: body.invite ? "Invitation sent" : "User created",
        description: body.invite ? `${body.email} gets a link to choose a password.` : `${body.email} can sign in now.`,
      });
      onClose();
      await refresh(users.listUsers, dashboard.platformMetrics);
    },
  });
  const [role, entry] = useWatch({ control: form.control, name: ["role", "entry"] });
  return (
    <Dialog title="Add New User" isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <UserFields field={field} role={role} clearTenant={() => form.setValue("tenantId", "")}>
          <ChoiceField label="First sign-in" hint={entryHints[entry]} options={entries} {...field("entry")} />
          {entry === "password" ? (
            <TextField label="Password" type="password" autoComplete="new-password" hint="At least 12 characters." {...field("password")} />
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
