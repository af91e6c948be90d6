import type { NewUser, User } from "@vitaline/contract";
import { AppError, isAppError, newId } from "@vitaline/core";
import { create, keys, type UserDirectoryRow, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { hashPassword, refuseCommonPassword } from "./password.ts";

export const asUser = ({ tenantId, tenantName, lastLogin, ...row }: UserDirectoryRow): User => ({
  ...row,
  tenantId: tenantId ?? null,
  tenantName: tenantName ?? null,
  lastLogin: lastLogin ?? null,
});

const unknownTenant = () =>
  new AppError("invalid_request", "Please select a tenant for tenant admin users", {
    fields: { tenantId: "Please select a tenant for tenant admin users" },
  });

/** A user, its e-mail claim and its directory rows in one transaction. AppError `duplicate` when the address is taken. */
export async function createUser(ctx: PlatformContext, input: NewUser): Promise<User> {
  const tenantId = input.role === "tenant_admin" ? input.tenantId : undefined;
  const store = tenantId ? ctx.platform.inTenant(tenantId) : ctx.platform;
  const tenant = tenantId ? await store.get(keys.tenantConfig()) : undefined;
  if (tenantId && !tenant) throw unknownTenant();
  refuseCommonPassword(input.password, [input.email, input.firstName, input.lastName, tenant?.name ?? ""]);

  const { password, tenantId: _given, ...fields } = input;
  const profile = { ...fields, id: newId(ctx.clock().getTime()), tenantId, isActive: true, createdAt: ctx.clock().toISOString() };
  const row: UserRow = { ...profile, passwordHash: await hashPassword(password), epoch: 0 };
  const listed: UserDirectoryRow = { ...profile, tenantName: tenant?.name };
  try {
    await store.commit(
      [
        create(keys.email(input.email), { userId: row.id, tenantId }),
        create(keys.user(row.id), row),
        create(keys.userDirectory(row.id), listed),
        ...(tenantId ? [create(keys.tenantUser(row.id), listed)] : []),
      ],
      { category: "configuration_change", action: "user.create", resourceType: "User", resourceId: row.id, detail: { role: row.role } },
    );
  } catch (error) {
    if (!isAppError(error, "duplicate")) throw error;
    throw new AppError("duplicate", "A user with this email already exists", {
      cause: error,
      fields: { email: "A user with this email already exists" },
    });
  }
  return asUser(listed);
}
