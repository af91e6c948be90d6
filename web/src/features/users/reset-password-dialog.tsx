import { PasswordReset, type User, users } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { nameOf } from "./user-status.tsx";

type Props = { user: User; onDone: (user: User, said: string) => void; onClose: () => void };

const Typed = z.object({ way: z.enum(["link", "password"]), password: z.string(), removeTotp: z.boolean() });
type Typed = z.infer<typeof Typed>;

const toReset = ({ way, password, removeTotp }: Typed): z.input<typeof PasswordReset> => ({
  ...(way === "password" && { password }),
  ...(removeTotp && { removeTotp }),
});
const TypedReset: z.ZodMiniType<PasswordReset, Typed> = z.pipe(z.pipe(Typed, z.transform(toReset)), PasswordReset);

const ways = [
  { value: "link", label: "Email a link to choose one" },
  { value: "password", label: "Set a password" },
];
const hints = {
  link: "Their password stops working at once. The link works once and expires in an hour.",
  password: "You give it to them yourself. They must choose a new one the next time they sign in.",
};

export const ResetPasswordDialog = ({ user, onDone, onClose }: Props) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit } = useRequestForm<Typed, PasswordReset>({
    schema: TypedReset,
    defaultValues: { way: "link", password: "", removeTotp: false },
    send: async (body) => {
      const changed = await call(users.resetUserPassword, { params: { userId: user.id }, body }).catch((error: unknown) => {
        // The password may be reset despite the error, for example if only the mail failed.
        if (isUncertain(error)) void refresh(users.listUsers).catch(() => undefined);
        throw error;
      });
      const linked = `A link was emailed to ${changed.email}.`;
      onDone(changed, body.password === undefined ? linked : "The password is set. They must change it the next time they sign in.");
    },
  });
  const way = useWatch({ control: form.control, name: "way" });
  return (
    <Dialog title="Reset Password" description={nameOf(user)} isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <ChoiceField label="New password" hint={hints[way]} options={ways} {...field("way")} />
        {way === "password" ? (
          <TextField label="Password" type="password" autoComplete="new-password" hint="At least 12 characters." {...field("password")} />
        ) : null}
        {user.hasTotp ? (
          <SwitchField
            label="Turn off two-factor sign-in"
            hint="For users who have lost their authenticator and their recovery codes."
            {...form.register("removeTotp")}
          />
        ) : null}
        <DialogButtons isBusy={isBusy} action="Reset Password" busyAction="Resetting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
