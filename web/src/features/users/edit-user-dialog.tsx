import { type User, users } from "@vitaline/contract";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { AccountPart, type Question } from "./account-actions.tsx";
import { ResetPasswordDialog } from "./reset-password-dialog.tsx";
import { nameOf } from "./user-status.tsx";
import { isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { readAll } from "../../lib/api/use-all.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { OvertakenNotice } from "../../components/form/edit-conflict.tsx";
import { UserFields } from "./user-fields.tsx";
import { ChangedUser, changesTo, differences, valuesOf } from "./user-values.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

type Props = { /** As the list has it now. */ user: User; onChanged: (user: User) => void; onClose: () => void };

/** Who a user is, and what can be done for or against them; what has to be asked first stands in front of it. */
const EditUserDialog = ({ user, onChanged, onClose }: Props) => {
  const [begun, setBegun] = useState(user);
  const [isDirty, setIsDirty] = useState(false);
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
      <Dialog title={nameOf(begun)} description={begun.email} isDirty={isDirty} onClose={onClose}>
        <EditUserForm
          key={begun.version}
          {...{ begun, user, onChanged }}
          onDirty={setIsDirty}
          onTakeTheirs={() => setBegun(user)}
          onClose={onClose}
        >
          <AccountPart user={user} said={said} onBegin={() => setSaid(undefined)} onAsk={setQuestion} onDone={done} />
        </EditUserForm>
      </Dialog>
      {question === "reset" ? <ResetPasswordDialog user={user} onDone={done} onClose={answered} /> : null}
      {question === "deactivate" ? (
        <DeactivateUser
          user={user}
          onDone={(changed) => done(changed, "They are signed out and cannot sign in any more.")}
          onClose={answered}
        />
      ) : null}
    </>
  );
};

type EditUserFormProps = {
  /** As it was when the form began. */ begun: User;
  /** As it is now, as far as is known. */ user: User;
  onChanged: (user: User) => void;
  onDirty: (isDirty: boolean) => void;
  onTakeTheirs: () => void;
  onClose: () => void;
  /** Stands above the buttons. */ children: ReactNode;
};

/** Sends what was changed. If somebody was faster, what they changed is told; what is typed stays. */
export const EditUserForm = ({ begun, user, onChanged, onDirty, onTakeTheirs, onClose, children }: EditUserFormProps) => {
  const { field, form, failure, isBusy, submit } = useRequestForm<z.input<typeof ChangedUser>, ChangedUser>({
    schema: ChangedUser,
    defaultValues: valuesOf(begun),
    send: async (typed) => {
      const body = changesTo(begun, typed);
      if (Object.keys(body).length === 0) return onClose();
      try {
        onChanged(await call(users.updateUser, { params: { userId: user.id }, body }, { ifMatch: user.version }));
      } catch (error) {
        const now = isStale(error) ? (await readAll(users.listUsers, {})).find(({ id }) => id === user.id) : undefined;
        if (now) onChanged(now);
        throw error;
      }
      onClose();
      announce({ type: "success", title: "User saved" });
    },
  });
  const { isDirty } = form.formState;
  // Before the next key, which may be Escape
  useLayoutEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const role = useWatch({ control: form.control, name: "role" });
  const changed = differences(begun, user);
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      {changed.length === 0 ? null : <OvertakenNotice what="user" changed={changed} onTakeTheirs={onTakeTheirs} />}
      <UserFields
        field={field}
        role={role}
        clearTenant={() => form.setValue("tenantId", "", { shouldDirty: true })}
        present={begun.tenantId === null ? undefined : { id: begun.tenantId, name: begun.tenantName ?? "Unknown tenant" }}
      />
      {children}
      <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onClose} />
    </FormFrame>
  );
};

type DeactivateUserProps = { user: User; onDone: (user: User) => void; onClose: () => void };

/** Asks before somebody is locked out. */
export const DeactivateUser = ({ user, onDone, onClose }: DeactivateUserProps) => {
  const { run, isBusy, failure } = useToldAction(async () => {
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
      {`${nameOf(user)} is signed out everywhere at once and cannot sign in until they are reactivated. What they did stays in the audit log.`}
    </Confirmation>
  );
};

export default EditUserDialog;
