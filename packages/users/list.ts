import type { User } from "@vitaline/contract";
import type { UserDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser } from "./create.ts";

/** All users, oldest first. One Query per megabyte, about 3,000 users. */
export async function listUsers(ctx: PlatformContext): Promise<User[]> {
  const users: User[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await ctx.platform.query<UserDirectoryRow>(partitions.userDirectory, { cursor });
    users.push(...page.rows.map(asUser));
    cursor = page.next;
  }
  return users;
}
