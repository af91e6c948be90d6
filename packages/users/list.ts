import type { User } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { Page, UserDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { asUser } from "./listing.ts";
import { readLocks } from "./locks.ts";

const pageRows = 200;

/** Where users stand in the directory: before the count of administrators. */
export const userIds = { from: "0", to: "z" } as const;

/** A page of users, oldest first: one query beside the one of who is locked out, and one read of the names of the tenants on it. */
export async function listUsers(
  ctx: PlatformContext,
  { limit = pageRows, cursor }: { limit?: number; cursor?: string } = {},
): Promise<Page<User>> {
  const [{ rows, next }, locks] = await allDone([
    ctx.platform.query<UserDirectoryRow>(partitions.userDirectory, { ...userIds, limit, cursor }),
    readLocks(ctx),
  ]);
  return { rows: (await withTenantNames(ctx, rows)).map((row) => asUser(row, row.tenantName, locks.get(row.id))), next };
}
