import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { User } from "@vitaline/contract";
import { type ComponentProps, useId } from "react";
import { accountPath } from "../../lib/session/areas.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Moment } from "../../components/data/text.tsx";
import { Success } from "../../components/feedback/notices.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { AccountActions } from "./account-actions.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { isLocked } from "./user-words.ts";

type Props = ComponentProps<typeof AccountActions> & { /** What the last act has done. */ said: string | undefined };

const detailsOf = (user: User) =>
  [
    ["Status", <StatusBadge key="status" user={user} />],
    ["Last login", user.lastLogin === null ? "Never" : <Moment key="login" at={user.lastLogin} />],
    ["Created", <Moment key="created" at={user.createdAt} />],
    [
      "Invitation",
      user.invitedAt === null ? undefined : (
        <span key="invited">
          Mailed <Moment at={user.invitedAt} />, not accepted yet
        </span>
      ),
    ],
    ["Password", user.mustChangePassword ? "Has to be changed at the next sign-in" : undefined],
    [
      "Locked",
      user.lockedUntil === null || !isLocked(user) ? undefined : (
        <span key="locked">
          Until <Moment at={user.lockedUntil} />, after too many failed sign-ins
        </span>
      ),
    ],
    ["Two-factor sign-in", user.hasTotp ? "On" : "Off"],
  ] as const;

/** How it stands with a user's account, and what can be done about it. Nobody does these things to themselves. */
export const AccountPart = ({ said, ...acting }: Props) => {
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
