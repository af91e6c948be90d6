import { AppError } from "@vitaline/core";
import { create, keys, rowsOf, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { userIdRange } from "./directory.ts";

export const isActiveAdmin = ({ role, isActive }: Pick<UserRow, "role" | "isActive">): boolean => role === "system_admin" && isActive;

/** Counted once, then stored. */
async function countAdmins(ctx: AccountContext): Promise<number> {
  const kept = await ctx.platform.get(keys.activeAdmins());
  if (kept) return kept.count;
  let count = 0;
  for await (const user of rowsOf<UserDirectoryRow>(ctx.platform, partitions.userDirectory, userIdRange)) if (isActiveAdmin(user)) count++;
  // A concurrent request has stored the same count.
  await ctx.platform.writeUnaudited(create(keys.activeAdmins(), { count }));
  return (await ctx.platform.get(keys.activeAdmins()))?.count ?? count;
}

/**
 * For the transaction that changes an administrator. AppError `not_doable` for the last one; in a race the condition fails for one
 * of two requests.
 */
export async function adminCountWrites(ctx: AccountContext, before: boolean, after: boolean): Promise<Write[]> {
  if (before === after) return [];
  const count = await countAdmins(ctx);
  if (after) return [update(keys.activeAdmins(), { add: { count: 1 } }, { exists: true })];
  if (count <= 1)
    throw new AppError(
      "not_doable",
      "This is the last active system administrator. Please make another user a system administrator first.",
    );
  return [update(keys.activeAdmins(), { add: { count: -1 } }, { exists: true, notEquals: { count: 1 } })];
}
