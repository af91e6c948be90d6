import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Credentials, sessions, type SignedIn } from "@vitaline/contract";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { call } from "../../api/call.ts";
import { TextField } from "../../components/text-field.tsx";
import { loginFailure } from "./login-failure.ts";

/** E-mail and password. A refusal is said above the fields, in the server's words. */
export const LoginForm = ({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) => {
  const { register, handleSubmit, setFocus, formState } = useForm<Credentials>({
    resolver: standardSchemaResolver(Credentials),
    defaultValues: { email: "", password: "" },
  });
  const [failure, setFailure] = useState<string>();

  const submit = handleSubmit(async (credentials) => {
    setFailure(undefined);
    try {
      onSignedIn(await call(sessions.login, { body: credentials }));
    } catch (error) {
      setFailure(loginFailure(error));
      setFocus("password", { shouldSelect: true });
    }
  });

  return (
    <chakra.form display="flex" flexDirection="column" gap="5" onSubmit={submit} noValidate>
      {failure ? (
        <Alert.Root status="error" role="alert">
          <Alert.Description>{failure}</Alert.Description>
        </Alert.Root>
      ) : null}
      <TextField label="Email" type="email" autoComplete="username" error={formState.errors.email?.message} {...register("email")} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register("password")}
      />
      <Button
        type="submit"
        size="lg"
        aria-disabled={formState.isSubmitting}
        onClick={(event) => formState.isSubmitting && event.preventDefault()}
      >
        {formState.isSubmitting ? "Signing in..." : "Sign in"}
      </Button>
    </chakra.form>
  );
};
