import * as z from "zod/mini";
import { Email, Id, optionalLine } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { Role, User, UserAccess } from "./user.ts";

/** At least 12 characters, no composition rules; the server refuses common passwords. */
export const NewPassword = z
  .string("Is required")
  .check(z.minLength(12, "Must be at least 12 characters"), z.maxLength(128, "Must be at most 128 characters"));

const needsCredentials = "Email and password are required";
const needsTenant = "Please select a tenant for tenant admin users";

/** Blank is kept. */
export const PersonName = z.pipe(
  optionalLine(100),
  z.transform((text) => text ?? ""),
);

const newUserFields = {
  email: z
    .string(needsCredentials)
    .check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, { error: needsCredentials, abort: true }),
      z.maxLength(254),
      z.email("Must be a valid email address"),
    ),
  password: z.optional(
    z
      .string(needsCredentials)
      .check(
        z.minLength(1, { error: needsCredentials, abort: true }),
        z.minLength(12, "Must be at least 12 characters"),
        z.maxLength(128, "Must be at most 128 characters"),
      ),
  ),
  /** Mails an invitation instead of setting a password. */
  invite: z.optional(z.literal(true)),
  firstName: PersonName,
  lastName: PersonName,
};
const TenantOfUser = z.string(needsTenant).check(z.regex(/^[0-9a-z]{26}$/, needsTenant));
const hasOneWayIn = z.refine<{ password?: string; invite?: true }>(
  ({ password, invite }) => (password === undefined) !== (invite === undefined),
  {
    path: ["password"],
    error: needsCredentials,
  },
);

/** `tenantId` is ignored for a system administrator. */
export const NewUser = z.discriminatedUnion("role", [
  z
    .strictObject({ ...newUserFields, role: z.literal("system_admin"), tenantId: z.nullish(z.string().check(z.maxLength(26))) })
    .check(hasOneWayIn),
  z
    .strictObject({ ...newUserFields, role: z.literal("tenant_admin"), tenantId: TenantOfUser, access: z.optional(UserAccess) })
    .check(hasOneWayIn),
]);
export type NewUser = z.infer<typeof NewUser>;

/** Absent keeps the value; a new address, role, access or tenant ends the user's sessions. */
export const UserChanges = z.strictObject({
  email: z.optional(Email),
  firstName: z.optional(PersonName),
  lastName: z.optional(PersonName),
  role: z.optional(Role),
  tenantId: z.optional(z.nullable(z.union([z.literal(""), TenantOfUser]))),
  access: z.optional(UserAccess),
  isActive: z.optional(z.boolean()),
});
export type UserChanges = z.infer<typeof UserChanges>;

/** With a password: sets it, to be changed at the next sign-in. Without: mails a link to choose one. */
export const PasswordReset = z.strictObject({ password: z.optional(NewPassword), removeTotp: z.optional(z.boolean()) });
export type PasswordReset = z.infer<typeof PasswordReset>;

export const UserPageQuery = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});
const params = z.object({ userId: Id });

export const users = routes({
  listUsers: {
    method: "GET",
    path: "/api/admin/users",
    auth: "system_admin",
    summary: "List users, oldest first, 200 a page",
    query: UserPageQuery,
    response: z.array(User),
  },
  createUser: {
    method: "POST",
    path: "/api/admin/users",
    auth: "system_admin",
    summary: "Create a user with a first password, or invite one",
    status: 201,
    body: NewUser,
    response: User,
  },
  updateUser: {
    method: "PUT",
    path: "/api/admin/users/{userId}",
    auth: "system_admin",
    summary: "Change a user",
    params,
    body: UserChanges,
    response: User,
  },
  deactivateUser: {
    method: "POST",
    path: "/api/admin/users/{userId}/deactivate",
    auth: "system_admin",
    summary: "Deactivate a user and end their sessions",
    params,
    response: User,
  },
  reactivateUser: {
    method: "POST",
    path: "/api/admin/users/{userId}/reactivate",
    auth: "system_admin",
    summary: "Reactivate a user",
    params,
    response: User,
  },
  unlockUser: {
    method: "POST",
    path: "/api/admin/users/{userId}/unlock",
    auth: "system_admin",
    summary: "Clear a user's failed sign-ins",
    params,
    response: User,
  },
  resetUserPassword: {
    method: "POST",
    path: "/api/admin/users/{userId}/reset-password",
    auth: "system_admin",
    summary: "Set a user's password, or mail a link to choose one",
    params,
    body: PasswordReset,
    response: User,
  },
  resendInvite: {
    method: "POST",
    path: "/api/admin/users/{userId}/resend-invite",
    auth: "system_admin",
    summary: "Mail a new invitation; the previous one stops working",
    params,
    response: User,
  },
});
