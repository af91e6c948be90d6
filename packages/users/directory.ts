import type { User } from "@vitaline/contract";
import { keys, type Page, put, remove, update, type UserDirectoryRow, type UserRow, type Write } from "@vitaline/store";
import { partitions, type PlatformKey } from "@vitaline/store/keys.ts";
import { allDone } from "@vitaline/core";
import { platformView, type PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { readLocks } from "./account.ts";

/** A user as answers show it; without a tenant's name for who belongs to none, nor an instant for who may sign in. */
export const asUser = (row: UserDirectoryRow, tenantName: string | undefined, lockedUntil?: string): User => ({
  id: row.id,
  email: row.email,
  role: row.role,
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

/** What lists show of a user. */
export const listed = ({ passwordHash: _hash, totp, epoch: _epoch, ...profile }: UserRow): UserDirectoryRow => ({
  ...profile,
  ...(totp?.confirmedAt === undefined ? {} : { hasTotp: true }),
});

const mayBeAbsent = ["tenantId", "mustChangePassword", "invitedAt", "hasTotp"] as const;

/**
 * Brings the platform's entry up to date; the last sign-in on it is left alone.
 * A time step of the second factor counts once, and is forgotten with its secret.
 */
const relist = (entry: UserDirectoryRow): Write => {
  const { totpStep } = entry;
  const absent: (keyof UserDirectoryRow)[] = mayBeAbsent.filter((name) => entry[name] === undefined);
  if (entry.hasTotp === undefined && totpStep === undefined) absent.push("totpStep");
  const once = totpStep === undefined ? {} : { lessThanOrAbsent: { totpStep } };
  return update(keys.userDirectory(entry.id), { set: entry, remove: absent }, { exists: true, ...once });
};

/** A row of a tenant's own list, for a transaction that concerns two tenants. */
const atTenant = (tenantId: string, userId: string): PlatformKey<UserDirectoryRow> => platformView(keys.tenantUser(userId), tenantId);

/** A new user's entries. */
export const listNew = (entry: UserDirectoryRow): Write[] => [
  put(keys.userDirectory(entry.id), entry, { exists: false }),
  ...(entry.tenantId ? [put(atTenant(entry.tenantId, entry.id), entry, { exists: false })] : []),
];

/** The entries after a change: in the platform's list, and in the list of the tenant that the user belongs to. */
export const listAgain = (before: UserRow, entry: UserDirectoryRow): Write[] => [
  relist(entry),
  ...(before.tenantId && before.tenantId !== entry.tenantId ? [remove(atTenant(before.tenantId, entry.id))] : []),
  ...(entry.tenantId ? [put(atTenant(entry.tenantId, entry.id), entry)] : []),
];

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
