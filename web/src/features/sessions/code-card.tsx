import { Button } from "@chakra-ui/react/button";
import { HStack } from "@chakra-ui/react/stack";
import { accounts } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { ApiError, explain } from "../../lib/api/api-error.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";

const kinds = {
  app: {
    label: "Authenticator code",
    hint: "The six digits that your authenticator app shows now.",
    inputMode: "numeric",
    other: "Use a recovery code",
  },
  recovery: {
    label: "Recovery code",
    hint: "One of the ten codes you saved. Each works once.",
    inputMode: "text",
    other: "Use the authenticator app",
  },
} as const;

type Props = { send: (totpCode: string) => Promise<void>; onBack: () => void };

export const CodeCard = ({ send, onBack }: Props) => {
  const [kind, setKind] = useState<keyof typeof kinds>("app");
  const {
    field,
    setFocus: focusOn,
    failure,
    isBusy,
    submit,
  } = useRequestForm({
    schema: accounts.confirmTotp.body,
    defaultValues: { code: "" },
    send: ({ code }) => send(code),
    refuse: (error, { setError, setFocus }) => {
      setFocus("code", { shouldSelect: true });
      if (!(error instanceof ApiError) || error.status !== 401) return explain(error);
      setError("code", { message: explain(error) });
      return undefined;
    },
  });
  // The authenticator's code is valid for seconds only.
  useEffect(() => focusOn("code"), [focusOn, kind]);
  const { other, ...looks } = kinds[kind];
  return (
    <FormCard title="Two-factor sign-in" lead="Your password is correct. Now verify that it's you.">
      <FormFrame onSubmit={submit} failure={failure}>
        <TextField {...looks} autoComplete="one-time-code" spellCheck={false} {...field("code")} />
        <SubmitButton isBusy={isBusy} busyText="Signing in...">
          Sign in
        </SubmitButton>
      </FormFrame>
      <HStack gap="3" wrap="wrap">
        <Button size="sm" variant="outline" onClick={() => setKind(kind === "app" ? "recovery" : "app")}>
          {other}
        </Button>
        <Button size="sm" variant="ghost" onClick={onBack}>
          Back
        </Button>
      </HStack>
    </FormCard>
  );
};
