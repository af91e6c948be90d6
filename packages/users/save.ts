import { isDeepStrictEqual } from "node:util";
import { keys, nextVersion, put, type Audit, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { directoryUpdateWrites, toDirectoryRow } from "./directory.ts";

type SaveOptions = {
  action: string;
  detail?: Audit["detail"];
  /** The time step of the TOTP code used for this change. */
  totpStep?: number;
  /** Written in the same transaction. */
  extraWrites?: Write[];
  ifMatch?: number;
};

/**
 * Saves the user and its directory entries in one transaction and returns the new entry; writes and audits nothing if nothing
 * changed. AppError `stale_version` if the row was changed meanwhile. Audited in the tenant's log, for a move between tenants in
 * the platform's.
 */
export async function saveUser(ctx: AccountContext, before: UserRow, after: UserRow, options: SaveOptions): Promise<UserDirectoryRow> {
  const { action, detail, totpStep, extraWrites = [], ifMatch } = options;
  const { version, asRead } = nextVersion(before, ifMatch);
  if (isDeepStrictEqual(after, before)) return toDirectoryRow(before);
  const row = { ...after, version };
  const entry = { ...toDirectoryRow(row), ...(totpStep === undefined ? {} : { totpStep }) };
  const isSameTenant = after.tenantId !== undefined && after.tenantId === before.tenantId;
  const store = isSameTenant ? ctx.platform.inTenant(after.tenantId as string) : ctx.platform;
  await store.commit([put(keys.user(row.id), row, asRead), ...directoryUpdateWrites(before, entry), ...extraWrites], {
    category: "configuration_change",
    action,
    resourceType: "User",
    resourceId: row.id,
    detail,
  });
  return entry;
}
