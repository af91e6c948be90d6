import type { InputProps } from "@chakra-ui/react/input";
import { accounts, NewPassword } from "@vitaline/contract";
import * as z from "zod/mini";
import { PasswordField } from "../../components/form/password-field.tsx";

type Field = InputProps & { error: string | undefined };

export const NewPasswordFields = ({ first, repeated }: { first: Field; repeated: Field }) => (
  <>
    <PasswordField
      label="New password"
      autoComplete="new-password"
      hint="At least 12 characters. A few words that do not belong together are easy to remember and hard to guess."
      {...first}
    />
    <PasswordField label="Confirm new password" autoComplete="new-password" {...repeated} />
  </>
);

const checkRepeated = <F extends string>(field: F) =>
  z.refine<Record<F | "repeated", string>>((typed) => typed[field] === typed.repeated, {
    path: ["repeated"],
    error: "Must be the same as the new password",
  });

export const FirstPassword = z.object({ password: NewPassword, repeated: z.string() }).check(checkRepeated("password"));
export const ChangedPassword = z.extend(accounts.changePassword.body, { repeated: z.string() }).check(checkRepeated("newPassword"));
