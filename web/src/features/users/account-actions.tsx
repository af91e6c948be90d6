import { Flex } from "@chakra-ui/react/flex";
import { type User, users } from "@vitaline/contract";
import { type ComponentProps, useId } from "react";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { call } from "../../lib/api/call.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { Failure, Success } from "../../components/feedback/alerts.tsx";
import { outcomes, useActButtons } from "./act-buttons.tsx";
import { isLocked, StatusBadge } from "./user-status.tsx";
import { accountPath } from "../../lib/session/areas.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { TextLink } from "../../components/layout/links.tsx";

type AccountPartProps = ComponentProps<typeof AccountActions> & {
  /** The result of the last action. */
  said: string | undefined;
};

/** Users cannot change their own account here. */
export const AccountPart = ({ said, ...acting }: AccountPartProps) => {
  const titleId = useId();
  const { user } = acting;
  const isOneself = useAuth().user?.id === user.id;
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Account
      </chakra.h3>
      <DetailList details={detailsOf(user)} />
      <Stack gap="4" mt="5">
        {isOneself ? (
          <chakra.p textStyle="sm" color="fg.muted">
            This is you. Your password and second factor are in <TextLink to={accountPath}>your account</TextLink>.
          </chakra.p>
        ) : (
          <>
            <Success text={said} />
            <AccountActions {...acting} />
          </>
        )}
      </Stack>
    </chakra.section>
  );
};

const detailsOf = (user: User) =>
  [
    ["Status", <StatusBadge key="status" user={user} />],
    ["Last login", user.lastLogin === null ? "Never" : <DateTime key="login" at={user.lastLogin} />],
    ["Created", <DateTime key="created" at={user.createdAt} />],
    [
      "Invitation",
      user.invitedAt === null ? undefined : (
        <span key="invited">
          Emailed <DateTime at={user.invitedAt} />, not accepted yet
        </span>
      ),
    ],
    ["Password", user.mustChangePassword ? "Must be changed at the next sign-in" : undefined],
    [
      "Locked",
      user.lockedUntil === null || !isLocked(user) ? undefined : (
        <span key="locked">
          Until <DateTime at={user.lockedUntil} />, after too many failed sign-ins
        </span>
      ),
    ],
    ["Two-factor sign-in", user.hasTotp ? "On" : "Off"],
  ] as const;

/** Actions with a dialog. */
export type Question = "deactivate" | "reset";

type Props = {
  user: User;
  onBegin: () => void;
  onAsk: (question: Question) => void;
  onDone: (user: User, said: string) => void;
};

const acts = {
  reactivate: { label: "Reactivate", route: users.reactivateUser, said: outcomes.restored },
  unlock: { label: "Unlock", route: users.unlockUser, said: outcomes.unlocked },
  invite: { label: "Resend Invitation", route: users.resendInvite, said: outcomes.invited },
} as const;

const AccountActions = ({ user, onBegin, onAsk, onDone }: Props) => {
  const { button: resetButton, focusLater } = useFocusLater();
  const { run, failure, button } = useActButtons(async (name: keyof typeof acts) => {
    const { route, said } = acts[name];
    onDone(await call(route, { params: { userId: user.id } }), said);
    // Its button is gone.
    if (name === "unlock") focusLater();
  }, onBegin);
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
        {/* One button, so that the focus stays when its label changes. */}
        {user.isActive ? button("Deactivate", () => onAsk("deactivate")) : quick("reactivate")}
      </Flex>
    </>
  );
};
