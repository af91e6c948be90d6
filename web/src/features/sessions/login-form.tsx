import { Credentials } from "@vitaline/contract";
import { useRequestForm } from "../../app/request-form.ts";
import { FormFrame } from "../../components/form-frame.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
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
