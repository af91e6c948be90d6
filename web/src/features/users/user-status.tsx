import type { User } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";
import { hasWords } from "../../lib/format/labels.ts";
import { ActiveBadge } from "../../components/data/badges.tsx";

export const StatusBadge = ({ user }: { user: User }) =>
  isOnlyInvited(user) ? (
    <Badge colorPalette="blue" flexShrink="0">
      Invited
    </Badge>
  ) : (
    <ActiveBadge isActive={user.isActive} />
  );

/** The invitation has not been accepted yet. */
export const isOnlyInvited = ({ isActive, invitedAt }: Pick<User, "isActive" | "invitedAt">): boolean => isActive && invitedAt !== null;

/** "Nora New", or the email address of a user without a name. */
export const nameOf = ({ firstName, lastName, email }: Pick<User, "firstName" | "lastName" | "email">): string =>
  `${firstName} ${lastName}`.trim() || email;

/** Locked after failed logins, for a while or until an administrator unlocks the account. */
export const isLocked = ({ lockedUntil }: Pick<User, "lockedUntil">): boolean =>
  lockedUntil !== null && Date.parse(lockedUntil) > Date.now();

/** The next step before the user can work. */
export const pendingStep = (user: User): string | undefined => {
  if (user.isActive && isLocked(user)) return "Locked";
  if (isOnlyInvited(user)) return "Active, invitation not accepted";
  return user.isActive && user.mustChangePassword ? "Must change password" : undefined;
};

export const matchesSearch = ({ email, firstName, lastName, tenantName }: User, typed: string): boolean =>
  hasWords([email, firstName, lastName, tenantName], typed);
