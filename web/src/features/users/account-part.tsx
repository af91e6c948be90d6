import { chakra } from "@chakra-ui/react/styled-system";
import type { User } from "@vitaline/contract";
import { useId } from "react";
import { accountPath } from "../../app/areas.ts";
import { useAuth } from "../../app/auth.tsx";
import { ActiveBadge } from "../../components/active-badge.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { Moment } from "../../components/moment.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { AccountActions } from "./account-actions.tsx";

type Props = { user: User; onChanged: (user: User) => void };

/** How it stands with a user's account, and what can be done about it. Nobody does these things to themselves. */
export const AccountPart = ({ user, onChanged }: Props) => {
  const titleId = useId();
  const isOneself = useAuth().user?.id === user.id;
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Account
      </chakra.h3>
      <DetailList
        details={[
          ["Status", <ActiveBadge key="status" isActive={user.isActive} />],
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
          ["Two-factor sign-in", user.hasTotp ? "On" : "Off"],
        ]}
      />
      <chakra.div mt="5">
        {isOneself ? (
          <chakra.p textStyle="sm" color="fg.muted">
            This is you. Your password and second factor are in <TextLink to={accountPath}>your account</TextLink>.
          </chakra.p>
        ) : (
          <AccountActions user={user} onChanged={onChanged} />
        )}
      </chakra.div>
    </chakra.section>
  );
};
