import type { User } from "@vitaline/contract";

/** "Nora New"; the address of who has given no name. */
export const nameOf = ({ firstName, lastName, email }: Pick<User, "firstName" | "lastName" | "email">): string =>
  `${firstName} ${lastName}`.trim() || email;

/** What still has to happen before this user works as usual. */
export const pendingOf = ({ isActive, invitedAt, mustChangePassword }: User): string | undefined => {
  if (!isActive) return undefined;
  if (invitedAt !== null) return "Invited";
  return mustChangePassword ? "Must change password" : undefined;
};

/** Whether one of the texts that a person looks for users by has all words of what they typed. */
export const isFound = ({ email, firstName, lastName, tenantName }: User, typed: string): boolean => {
  const text = `${email} ${firstName} ${lastName} ${tenantName ?? ""}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
