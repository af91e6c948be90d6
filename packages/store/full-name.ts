import type { UserDirectoryRow } from "./entities/users.ts";

/** A user as lists name them: by the address where there is no name. */
export const fullName = ({ firstName, lastName, email }: Pick<UserDirectoryRow, "firstName" | "lastName" | "email">): string =>
  `${firstName} ${lastName}`.trim() || email;
