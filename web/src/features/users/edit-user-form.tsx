import { type User, users } from "@vitaline/contract";
import { type ReactNode, useLayoutEffect } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
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

type Props = {
  /** As it was when the form began. */ begun: User;
  /** As it is now, as far as is known. */ user: User;
  onChanged: (user: User) => void;
  onDirty: (isDirty: boolean) => void;
  onTakeTheirs: () => void;
  onClose: () => void;
  /** Stands above the buttons. */ children: ReactNode;
};

/** Sends what was changed. If somebody was faster, what they changed is told; what is typed stays. */
export const EditUserForm = ({ begun, user, onChanged, onDirty, onTakeTheirs, onClose, children }: Props) => {
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
