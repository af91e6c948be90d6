import { AppError } from "@vitaline/core";
import { create, keys, rowsOf, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { userIds } from "./directory.ts";

export const isActiveAdmin = ({ role, isActive }: Pick<UserRow, "role" | "isActive">): boolean => role === "system_admin" && isActive;

/** How many active system administrators there are; counted once, at the first need, and kept from then on. */
async function countAdmins(ctx: PlatformContext): Promise<number> {
  const kept = await ctx.platform.get(keys.activeAdmins());
  if (kept) return kept.count;
  let count = 0;
  for await (const user of rowsOf<UserDirectoryRow>(ctx.platform, partitions.userDirectory, userIds)) if (isActiveAdmin(user)) count++;
  // Whoever was faster has counted the same.
  await ctx.platform.note(create(keys.activeAdmins(), { count }));
  return (await ctx.platform.get(keys.activeAdmins()))?.count ?? count;
}

/**
 * What keeps the count, to be written in the transaction that changes it.
 * AppError `not_doable` for the last one: in a race its condition lets one of two go, and the other is told at the next try.
 */
export async function adminCounted(ctx: PlatformContext, before: boolean, after: boolean): Promise<Write[]> {
  if (before === after) return [];
  const count = await countAdmins(ctx);
  if (after) return [update(keys.activeAdmins(), { add: { count: 1 } }, { exists: true })];
  if (count <= 1) throw new AppError("not_doable", "This is the last active system administrator. Please make somebody else one first.");
  return [update(keys.activeAdmins(), { add: { count: -1 } }, { exists: true, notEquals: { count: 1 } })];
}
