import type { User } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, put, remove, update, type Page, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { withTenantNames } from "@vitaline/tenants";
import { readLocks } from "./account.ts";

export const asUser = (row: UserDirectoryRow, tenantName: string | undefined, lockedUntil?: string): User => ({
  id: row.id,
  email: row.email,
  role: row.role,
  ...(row.access === undefined ? {} : { access: row.access }),
  firstName: row.firstName,
  lastName: row.lastName,
  tenantId: row.tenantId ?? null,
  tenantName: tenantName || null,
  isActive: row.isActive,
  lastLogin: row.lastLogin ?? null,
  createdAt: row.createdAt,
  hasTotp: row.hasTotp ?? false,
  mustChangePassword: row.mustChangePassword ?? false,
  invitedAt: row.invitedAt ?? null,
  lockedUntil: lockedUntil ?? null,
  version: row.version ?? 1,
});

/** Without secrets. */
export const toDirectoryRow = ({ passwordHash: _hash, totp, epoch: _epoch, ...profile }: UserRow): UserDirectoryRow => ({
  ...profile,
  ...(totp?.confirmedAt === undefined ? {} : { hasTotp: true }),
});

const optionalFields = ["tenantId", "access", "mustChangePassword", "invitedAt", "hasTotp"] as const;

/** Keeps the last sign-in. The condition on `totpStep` lets a time step count once; it is removed with the second factor. */
const platformEntryWrite = (entry: UserDirectoryRow): Write => {
  const { totpStep } = entry;
  const removed: (keyof UserDirectoryRow)[] = optionalFields.filter((name) => entry[name] === undefined);
  if (entry.hasTotp === undefined && totpStep === undefined) removed.push("totpStep");
  const once = totpStep === undefined ? {} : { lessThanOrAbsent: { totpStep } };
  return update(keys.userDirectory(entry.id), { set: entry, remove: removed }, { exists: true, ...once });
};

export const directoryCreateWrites = (entry: UserDirectoryRow): Write[] => [
  put(keys.userDirectory(entry.id), entry, { exists: false }),
  ...(entry.tenantId ? [put(keys.userInTenant(entry.tenantId, entry.id), entry, { exists: false })] : []),
];

export const directoryUpdateWrites = (before: UserRow, entry: UserDirectoryRow): Write[] => [
  platformEntryWrite(entry),
  ...(before.tenantId && before.tenantId !== entry.tenantId ? [remove(keys.userInTenant(before.tenantId, entry.id))] : []),
  ...(entry.tenantId ? [put(keys.userInTenant(entry.tenantId, entry.id), entry)] : []),
];

const defaultPageSize = 200;

/** Excludes the rows of locks and of the administrator count. */
export const userIdRange = { from: "0", to: "z" } as const;

/** Oldest first. One Query, one more for locks, one batch read of tenant names. */
export async function listUsers(
  ctx: AccountContext,
  { limit = defaultPageSize, cursor }: { limit?: number; cursor?: string } = {},
): Promise<Page<User>> {
  const [{ rows, next }, locks] = await awaitAllThenThrow([
    ctx.platform.query<UserDirectoryRow>(partitions.userDirectory, { ...userIdRange, limit, cursor }),
    readLocks(ctx),
  ]);
  return { rows: (await withTenantNames(ctx, rows)).map((row) => asUser(row, row.tenantName, locks.get(row.id))), next };
}
