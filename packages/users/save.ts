import { isDeepStrictEqual } from "node:util";
import { nextVersion, put, keys, type Audit, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { listAgain, listed } from "./directory.ts";

type Saving = {
  action: string;
  detail?: Audit["detail"];
  /** The time step of the second factor that was used with it. */
  totpStep?: number;
  /** What is written in the same transaction. */
  beside?: Write[];
  ifMatch?: number;
};

/**
 * Changes a user, its entries in the lists and what goes with it in one transaction; gives the new entry. Nothing is written,
 * nor audited, where nothing differs.
 * AppError `stale_version` when the row is not any more as it was read. An act on one tenant's user stands in that tenant's
 * log, a move between tenants in the platform's.
 */
export async function saveUser(ctx: PlatformContext, before: UserRow, after: UserRow, saving: Saving): Promise<UserDirectoryRow> {
  const { action, detail, totpStep, beside = [], ifMatch } = saving;
  const { version, asRead } = nextVersion(before, ifMatch);
  if (isDeepStrictEqual(after, before)) return listed(before);
  const row = { ...after, version };
  const entry = { ...listed(row), ...(totpStep === undefined ? {} : { totpStep }) };
  const stays = after.tenantId !== undefined && after.tenantId === before.tenantId;
  const store = stays ? ctx.platform.inTenant(after.tenantId as string) : ctx.platform;
  await store.commit([put(keys.user(row.id), row, asRead), ...listAgain(before, entry), ...beside], {
    category: "configuration_change",
    action,
    resourceType: "User",
    resourceId: row.id,
    detail,
  });
  return entry;
}
