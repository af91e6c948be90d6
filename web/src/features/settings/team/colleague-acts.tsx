import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { team, type User } from "@vitaline/contract";
import type { Ref } from "react";
import { DateTime } from "../../../components/data/text.tsx";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { call } from "../../../lib/api/call.ts";
import { outcomes, useActButtons } from "../../users/act-buttons.tsx";
import { isLocked, isOnlyInvited } from "../../users/user-status.tsx";

/** Acts with a dialog. */
export type Question = "remove" | "totp";

type Props = {
  colleague: User;
  onBegin: () => void;
  onAsk: (question: Question) => void;
  /** `isGone`: the button that was pressed. */
  onDone: (user: User, said: string, isGone?: boolean) => void;
  /** Of the button that is always there. */
  ref: Ref<HTMLButtonElement>;
};

export const ColleagueActs = ({ colleague, onBegin, onAsk, onDone, ref: lastButton }: Props) => {
  const params = { userId: colleague.id };
  const { run, failure, button } = useActButtons(async (act: "invite" | "unlock" | "restore") => {
    if (act === "invite") return onDone(await call(team.resendColleagueInvite, { params }), outcomes.invited);
    if (act === "restore") return onDone(await call(team.changeColleague, { params, body: { isActive: true } }), outcomes.restored);
    onDone(await call(team.unlockColleague, { params }), outcomes.unlocked, true);
  }, onBegin);
  const { isActive, lockedUntil, hasTotp } = colleague;
  const isLockedNow = isActive && isLocked(colleague);
  return (
    <>
      <Failure text={failure} />
      {isLockedNow && lockedUntil !== null ? (
        <Text textStyle="sm" color="fg.muted">
          Locked until <DateTime at={lockedUntil} />, after too many failed sign-ins.
        </Text>
      ) : null}
      <Flex gap="2" wrap="wrap">
        {isOnlyInvited(colleague) ? button("Resend Invitation", () => run("invite")) : null}
        {isLockedNow ? button("Unlock", () => run("unlock")) : null}
        {isActive && hasTotp ? button("Reset Second Factor", () => onAsk("totp")) : null}
        {/* One button, so that the focus stays when its label changes. */}
        {button(isActive ? "Remove" : "Restore", () => (isActive ? onAsk("remove") : run("restore")), lastButton)}
      </Flex>
    </>
  );
};
