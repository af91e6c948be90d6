import { Button } from "@chakra-ui/react/button";
import { accounts } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

/** Ends every session of one's own, this one too, after a question. */
export const SignOutEverywhere = () => {
  const { forget } = useAuth();
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure } = useToldAction(async () => {
    await call(accounts.logoutEverywhere, {});
    forget();
  });
  return (
    <>
      <Button variant="outline" mt="6" alignSelf="flex-start" onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      {isAsking ? (
        <Confirmation
          title="Sign out everywhere?"
          action="Sign out everywhere"
          busyAction="Signing out..."
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onConfirm={() => run()}
          onCancel={() => setIsAsking(false)}
        >
          Every device you are signed in on has to sign in again, this one included.
        </Confirmation>
      ) : null}
    </>
  );
};
