import { type User, users } from "@vitaline/contract";
import { type ReactNode, useState } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { outcomes } from "./act-buttons.tsx";
import { AccountPart, type Question } from "./account-actions.tsx";
import { ResetPasswordDialog } from "./reset-password-dialog.tsx";
import { nameOf } from "./user-status.tsx";
import { call } from "../../lib/api/call.ts";
import { readAll } from "../../lib/api/use-all.ts";
import { type EditForm, useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { UserFields } from "./user-fields.tsx";
import { ChangedUser, changesTo, differences, valuesOf } from "./user-values.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

type Props = { user: User; onChanged: (user: User) => void; onClose: () => void };

const EditUserDialog = ({ user, onChanged, onClose }: Props) => {
  const edit = useEditForm<User, z.input<typeof ChangedUser>, ChangedUser>({
    current: user,
    valuesOf,
    schema: ChangedUser,
    differences,
    save: async (typed, before) => {
      const body = changesTo(before, typed);
      if (Object.keys(body).length === 0) return onClose();
      onChanged(await call(users.updateUser, { params: { userId: user.id }, body }, { ifMatch: user.version }));
      onClose();
      announce({ type: "success", title: "User saved" });
    },
    reread: async () => {
      const now = (await readAll(users.listUsers, {})).find(({ id }) => id === user.id);
      if (now) onChanged(now);
    },
  });
  const { begun } = edit;
  const [question, setQuestion] = useState<Question>();
  const [said, setSaid] = useState<string>();
  const answered = () => setQuestion(undefined);
  const done = (changed: User, sentence: string) => {
    onChanged(changed);
    setSaid(sentence);
    answered();
  };
  return (
    <>
      <Dialog title={nameOf(begun)} description={begun.email} isDirty={edit.form.formState.isDirty} onClose={onClose}>
        <EditUserForm edit={edit} onClose={onClose}>
          <AccountPart user={user} said={said} onBegin={() => setSaid(undefined)} onAsk={setQuestion} onDone={done} />
        </EditUserForm>
      </Dialog>
      {question === "reset" ? <ResetPasswordDialog user={user} onDone={done} onClose={answered} /> : null}
      {question === "deactivate" ? (
        <DeactivateUser user={user} onDone={(changed) => done(changed, outcomes.removed)} onClose={answered} />
      ) : null}
    </>
  );
};

type EditUserFormProps = {
  edit: EditForm<User, z.input<typeof ChangedUser>, ChangedUser>;
  onClose: () => void;
  children: ReactNode;
};

const EditUserForm = ({ edit: { begun, conflict, field, form, failure, isBusy, submit }, onClose, children }: EditUserFormProps) => {
  const [role, access] = useWatch({ control: form.control, name: ["role", "access"] });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="user" conflict={conflict} />
      <UserFields
        // The options of the tenant's select depend on the initial values.
        key={begun.version}
        field={field}
        role={role}
        access={access}
        clearTenant={() => form.setValue("tenantId", "", { shouldDirty: true })}
        present={begun.tenantId === null ? undefined : { id: begun.tenantId, name: begun.tenantName ?? "Unknown tenant" }}
      />
      {children}
      <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onClose} />
    </FormFrame>
  );
};

type DeactivateUserProps = { user: User; onDone: (user: User) => void; onClose: () => void };

const DeactivateUser = ({ user, onDone, onClose }: DeactivateUserProps) => {
  const { run, isBusy, failure } = useInlineAction(async () => {
    onDone(await call(users.deactivateUser, { params: { userId: user.id } }));
  });
  return (
    <Confirmation
      title="Deactivate user?"
      action="Deactivate"
      busyAction="Deactivating..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      {`${nameOf(user)} is signed out everywhere at once and cannot sign in until they are reactivated. Their past actions stay in the audit log.`}
    </Confirmation>
  );
};

export default EditUserDialog;
