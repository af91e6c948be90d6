import { Credentials } from "@vitaline/contract";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { loginFailure } from "./login-failure.ts";

/** E-mail and password. A refusal is said above the fields, in the server's words. */
export const LoginForm = ({ send }: { send: (credentials: Credentials) => Promise<void> }) => {
  const { field, failure, isBusy, submit } = useRequestForm<Credentials>({
    schema: Credentials,
    defaultValues: { email: "", password: "" },
    send,
    refuse: (error, { setFocus }) => {
      setFocus("password", { shouldSelect: true });
      return loginFailure(error);
    },
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field("password")} />
      <SubmitButton isBusy={isBusy} busyText="Signing in...">
        Sign in
      </SubmitButton>
    </FormFrame>
  );
};
