import type { User } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";
import { hasWords } from "../../lib/format/text.ts";
import { ActiveBadge } from "../../components/data/badges.tsx";

/** Whether somebody can sign in; who was only invited has never been here. */
export const StatusBadge = ({ user }: { user: User }) =>
  isOnlyInvited(user) ? (
    <Badge colorPalette="blue" flexShrink="0">
      Invited
    </Badge>
  ) : (
    <ActiveBadge isActive={user.isActive} />
  );

/** An invitation was mailed, and nobody has accepted it yet. */
export const isOnlyInvited = ({ isActive, invitedAt }: Pick<User, "isActive" | "invitedAt">): boolean => isActive && invitedAt !== null;

/** "Nora New"; the address of who has given no name. */
export const nameOf = ({ firstName, lastName, email }: Pick<User, "firstName" | "lastName" | "email">): string =>
  `${firstName} ${lastName}`.trim() || email;

/** After too many failed sign-ins, for a while or until somebody unlocks the account. */
export const isLocked = ({ lockedUntil }: Pick<User, "lockedUntil">): boolean =>
  lockedUntil !== null && Date.parse(lockedUntil) > Date.now();

/** What still has to happen before this user works as usual. */
export const pendingOf = (user: User): string | undefined => {
  if (user.isActive && isLocked(user)) return "Locked";
  if (isOnlyInvited(user)) return "Active, not accepted yet";
  return user.isActive && user.mustChangePassword ? "Must change password" : undefined;
};

/** Whether what a person looks for users by has all words of what they typed. */
export const isFound = ({ email, firstName, lastName, tenantName }: User, typed: string): boolean =>
  hasWords([email, firstName, lastName, tenantName], typed);
