import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { accounts } from "@vitaline/contract";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextField } from "../../components/form/fields.tsx";

const TurnOff = () => {
  const { recheck } = useAuth();
  const { mutate } = useSWRConfig();
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: accounts.removeTotp.body,
    defaultValues: { code: "" },
    send: async ({ code }) => {
      await call(accounts.removeTotp, { body: { code } });
      announce({ type: "success", title: "Two-factor sign-in is off", description: "You are signed out everywhere else." });
      await recheck();
      await mutate(() => true);
    },
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Authenticator code"
        hint="Six digits from your app, or a recovery code."
        autoComplete="one-time-code"
        spellCheck={false}
        {...field("code")}
      />
      <SubmitButton isBusy={isBusy} busyText="Turning off...">
        Turn off two-factor sign-in
      </SubmitButton>
    </FormFrame>
  );
};

export const SecondFactorPanel = ({ onSetUp }: { onSetUp: () => void }) => {
  const { user } = useAuth();
  const [isTurningOff, setIsTurningOff] = useState(false);
  const isOn = user?.hasTotp ?? false;
  return (
    <Panel title="Two-factor sign-in" description="A code from an authenticator app, in addition to your password.">
      <Badge colorPalette="green" variant={isOn ? "subtle" : "outline"} alignSelf="flex-start" mb="4">
        {isOn ? "On" : "Off"}
      </Badge>
      {isOn && isTurningOff ? (
        <TurnOff />
      ) : isOn ? (
        <Button variant="outline" alignSelf="flex-start" onClick={() => setIsTurningOff(true)}>
          Turn off
        </Button>
      ) : (
        <>
          <Text color="fg.muted" mb="4">
            It keeps your account safe even if your password is stolen.
          </Text>
          <Button variant="outline" alignSelf="flex-start" onClick={onSetUp}>
            Set up two-factor sign-in
          </Button>
        </>
      )}
    </Panel>
  );
};
