import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { type User, users } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useLaterFocus } from "../../app/use-later-focus.ts";
import { useToldAction } from "../../api/use-told-action.ts";
import { Failure } from "../../components/failure.tsx";
import { Success } from "../../components/success.tsx";
import { DeactivateUser } from "./deactivate-user.tsx";
import { ResetPasswordForm } from "./reset-password-form.tsx";

type Props = { user: User; onChanged: (user: User) => void };

/** What is done at once, as it takes nothing away. */
const useQuickActions = ({ id }: User, onDone: (user: User, said: string) => void) => {
  const request = { params: { userId: id } };
  return useToldAction(async (name: "reactivate" | "unlock" | "invite") => {
    if (name === "reactivate") onDone(await call(users.reactivateUser, request), "They can sign in again.");
    if (name === "unlock") onDone(await call(users.unlockUser, request), "Failed sign-ins are forgotten: they can try again at once.");
    if (name === "invite")
      onDone(await call(users.resendInvite, request), "The invitation was mailed again. The one before is worth nothing.");
  });
};

export const AccountActions = ({ user, onChanged }: Props) => {
  const [said, setSaid] = useState<string>();
  const [isOpen, setIsOpen] = useState<"deactivate" | "reset">();
  const { button: resetButton, focusLater } = useLaterFocus();
  const onDone = (changed: User, sentence: string) => {
    onChanged(changed);
    setSaid(sentence);
  };
  const { run, isBusy, failure } = useQuickActions(user, onDone);
  const close = () => {
    setIsOpen(undefined);
    focusLater();
  };
  const begin = (act: () => void) => () => {
    setSaid(undefined);
    act();
  };
  const button = (label: string, act: () => void) => (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={begin(act)}>
      {label}
    </Button>
  );
  return (
    <Stack gap="4">
      <Success text={said} />
      <Failure text={failure} />
      {isOpen === "reset" ? (
        <ResetPasswordForm
          user={user}
          onDone={(changed, sentence) => {
            onDone(changed, sentence);
            close();
          }}
          onCancel={close}
        />
      ) : (
        <Flex gap="2" wrap="wrap">
          {user.isActive ? (
            <>
              {user.invitedAt === null ? null : button("Resend Invitation", () => run("invite"))}
              <Button ref={resetButton} size="sm" variant="outline" onClick={begin(() => setIsOpen("reset"))}>
                Reset Password
              </Button>
              {button("Unlock", () => run("unlock"))}
            </>
          ) : null}
          {user.isActive ? button("Deactivate", () => setIsOpen("deactivate")) : button("Reactivate", () => run("reactivate"))}
        </Flex>
      )}
      {isOpen === "deactivate" ? (
        <DeactivateUser
          user={user}
          onDone={(changed) => onDone(changed, "They are signed out and cannot sign in any more.")}
          onClose={() => setIsOpen(undefined)}
        />
      ) : null}
    </Stack>
  );
};
