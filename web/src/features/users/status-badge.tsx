import { Badge } from "@chakra-ui/react/badge";
import type { User } from "@vitaline/contract";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { isOnlyInvited } from "./user-words.ts";

/** Whether somebody can sign in; who was only invited has never been here. */
export const StatusBadge = ({ user }: { user: User }) =>
  isOnlyInvited(user) ? (
    <Badge colorPalette="blue" flexShrink="0">
      Invited
    </Badge>
  ) : (
    <ActiveBadge isActive={user.isActive} />
  );
