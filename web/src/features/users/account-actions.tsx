import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { type User, users } from "@vitaline/contract";
import type { Ref } from "react";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Failure } from "../../components/feedback/notices.tsx";
import { isLocked } from "./user-words.ts";

/** What needs more to be said or asked first. */
export type Question = "deactivate" | "reset";
type Props = {
  user: User;
  /** Before anything is done: what was said of the act before is over. */ onBegin: () => void;
  onAsk: (question: Question) => void;
  onDone: (user: User, said: string) => void;
};

const acts = {
  reactivate: { label: "Reactivate", route: users.reactivateUser, said: "They can sign in again." },
  unlock: { label: "Unlock", route: users.unlockUser, said: "Failed sign-ins are forgotten: they can try again at once." },
  invite: {
    label: "Resend Invitation",
    route: users.resendInvite,
    said: "The invitation was mailed again. The one before is worth nothing.",
  },
} as const;

/** What is done for or against an account at once, whatever stands in the form above it. */
export const AccountActions = ({ user, onBegin, onAsk, onDone }: Props) => {
  const { button: resetButton, focusLater } = useLaterFocus();
  const { run, isBusy, failure } = useToldAction(async (name: keyof typeof acts) => {
    const { route, said } = acts[name];
    onDone(await call(route, { params: { userId: user.id } }), said);
    // Its own button goes away.
    if (name === "unlock") focusLater();
  });
  const button = (label: string, act: () => void, ref?: Ref<HTMLButtonElement>) => (
    <Button
      ref={ref}
      size="sm"
      variant="outline"
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return;
        onBegin();
        act();
      }}
    >
      {label}
    </Button>
  );
  const quick = (name: keyof typeof acts) => button(acts[name].label, () => run(name));
  return (
    <>
      <Failure text={failure} />
      <Flex gap="2" wrap="wrap">
        {user.isActive ? (
          <>
            {user.invitedAt === null ? null : quick("invite")}
            {button("Reset Password", () => onAsk("reset"), resetButton)}
            {isLocked(user) ? quick("unlock") : null}
          </>
        ) : null}
        {/* One place for both, so that the focus stays when the one becomes the other. */}
        {user.isActive ? button("Deactivate", () => onAsk("deactivate")) : quick("reactivate")}
      </Flex>
    </>
  );
};
