import type { NewUser, User } from "@vitaline/contract";
import { AppError, isAppError, newId } from "@vitaline/core";
import { create, keys, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { adminCounted, isActiveAdmin } from "./admins.ts";
import { asUser, listed, listNew } from "./listing.ts";
import { newMailedToken } from "./mailed-token.ts";
import { mailInvitation } from "./mails.ts";
import { hashPassword, refuseCommonPassword } from "./password.ts";
import { personalWords } from "./set-password.ts";

export const unknownTenant = () =>
  new AppError("invalid_request", "Please select a tenant for tenant admin users", {
    fields: { tenantId: "Please select a tenant for tenant admin users" },
  });

export const takenAddress = (cause: unknown) =>
  new AppError("duplicate", "A user with this email already exists", { cause, fields: { email: "A user with this email already exists" } });

/** What a person chose for somebody else is known to two; what the platform's own commands set is not. */
export const chosenForAnother = ({ actor }: PlatformContext): { mustChangePassword?: true } =>
  actor.kind === "user" ? { mustChangePassword: true } : {};

/**
 * A user, its e-mail claim and its directory rows in one transaction; one that is invited gets a link instead of a password.
 * AppError `duplicate` when the address is taken, `unavailable` when the invitation could not be mailed: the user is there then.
 */
export async function createUser(ctx: PlatformContext, input: NewUser): Promise<User> {
  const tenantId = input.role === "tenant_admin" ? input.tenantId : undefined;
  const store = tenantId ? ctx.platform.inTenant(tenantId) : ctx.platform;
  const tenant = tenantId ? await store.get(keys.tenantConfig()) : undefined;
  if (tenantId && !tenant) throw unknownTenant();

  const { email, role, firstName, lastName, password } = input;
  const createdAt = ctx.clock().toISOString();
  const profile = { id: newId(ctx.clock().getTime()), email, role, firstName, lastName, tenantId, isActive: true, epoch: 0, createdAt };
  if (password !== undefined) refuseCommonPassword(password, personalWords(profile, tenant?.name));
  const row: UserRow =
    password === undefined
      ? { ...profile, invitedAt: createdAt }
      : { ...profile, ...chosenForAnother(ctx), passwordHash: await hashPassword(password) };
  const invitation = password === undefined ? newMailedToken(ctx, "invite", row) : undefined;
  const entry = listed(row);
  try {
    await store.commit(
      [
        create(keys.email(email), { userId: row.id, tenantId }),
        create(keys.user(row.id), row),
        ...listNew(entry),
        ...(await adminCounted(ctx, false, isActiveAdmin(row))),
        ...(invitation ? [invitation.write] : []),
      ],
      { category: "configuration_change", action: "user.create", resourceType: "User", resourceId: row.id, detail: { role } },
    );
  } catch (error) {
    throw isAppError(error, "duplicate") ? takenAddress(error) : error;
  }
  if (invitation)
    await mailInvitation(ctx, row, invitation.token, tenant?.name ?? null).catch((cause: unknown) => {
      throw new AppError("unavailable", "The user was created, but the invitation could not be mailed. Please resend it.", { cause });
    });
  return asUser(entry, tenant?.name);
}
