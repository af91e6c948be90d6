import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { type ProofOfPassword, team, type User } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { DialogButtons, DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { ApiError, isUncertain } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { showAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { OwnPasswordField, wantsPassword } from "../../accounts/own-password-field.tsx";
import { nameOf } from "../../users/user-status.tsx";

const unanswered =
  "The answer did not arrive. If two-factor sign-in is off now, ask them to choose Forgot password when they sign in. Otherwise try again.";

type Props = { colleague: User; onDone: (user: User, said: string) => void; onClose: () => void };

export const ResetTotpDialog = ({ colleague, onDone, onClose }: Props) => {
  const refresh = useRefresh();
  const [isPasswordWanted, setIsPasswordWanted] = useState(false);
  const { field, form, failure, isBusy, submit } = useRequestForm<ProofOfPassword>({
    schema: team.resetColleagueTotp.body,
    defaultValues: {},
    send: async (body) => {
      const changed = await call(team.resetColleagueTotp, { params: { userId: colleague.id }, body }).catch(async (error: unknown) => {
        // The second factor may be off despite the error, for example if only the mail failed.
        if (isUncertain(error)) await refresh(team.listTeam).catch(() => undefined);
        throw error;
      });
      onDone(changed, `Two-factor sign-in is off. A link to choose a new password was emailed to ${changed.email}.`);
    },
    refuse: (error, about) => {
      if (wantsPassword(error)) setIsPasswordWanted(true);
      if (isUncertain(error) && !(error instanceof ApiError && error.problem)) return unanswered;
      return showAtFields<ProofOfPassword>(["currentPassword"])(error, about);
    },
  });
  const { setFocus } = form;
  useEffect(() => {
    if (isPasswordWanted) setFocus("currentPassword");
  }, [isPasswordWanted, setFocus]);
  // Nothing is left to reset: the failure says what to do instead.
  const isOver = failure !== undefined && !colleague.hasTotp;
  return (
    <Dialog title="Reset Second Factor" description={nameOf(colleague)} isDirty={form.formState.isDirty && !isOver} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        {isOver ? (
          <CloseFooter onClose={onClose} />
        ) : (
          <>
            <Text>
              For colleagues who have lost their authenticator and their recovery codes. They are signed out everywhere, and their password
              stops working. They get an email with a link to choose a new one, which works once and expires in an hour.
            </Text>
            {isPasswordWanted ? <OwnPasswordField label="Your password" {...field("currentPassword")} /> : null}
            <DialogButtons isBusy={isBusy} action="Reset Second Factor" busyAction="Resetting..." onCancel={onClose} />
          </>
        )}
      </FormFrame>
    </Dialog>
  );
};

/** Takes the focus, as the button that had it is gone. */
const CloseFooter = ({ onClose }: { onClose: () => void }) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <DialogFooter>
      <Button ref={button} size="lg" variant="outline" onClick={onClose}>
        Close
      </Button>
    </DialogFooter>
  );
};
