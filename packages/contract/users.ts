import * as z from "zod/mini";
import { Email, Id, Instant, line } from "./fields.ts";
import { routes } from "./route.ts";

export const Role = z.enum(["system_admin", "tenant_admin"]);
export type Role = z.infer<typeof Role>;

export const User = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  firstName: z.string(),
  lastName: z.string(),
  tenantId: z.nullable(Id),
  tenantName: z.nullable(z.string()),
  isActive: z.boolean(),
  lastLogin: z.nullable(Instant),
  createdAt: Instant,
});
export type User = z.infer<typeof User>;

/** Twelve characters or more, no composition rules; common passwords are refused by the server. */
export const NewPassword = z
  .string("Is required")
  .check(z.minLength(12, "Must be at least 12 characters"), z.maxLength(128, "Must be at most 128 characters"));

const newUserFields = {
  email: Email,
  password: NewPassword,
  firstName: line(100),
  lastName: line(100),
};

export const NewUser = z.discriminatedUnion("role", [
  z.strictObject({ ...newUserFields, role: z.literal("system_admin"), tenantId: z.nullish(z.literal("")) }),
  z.strictObject({
    ...newUserFields,
    role: z.literal("tenant_admin"),
    tenantId: z
      .string("Please select a tenant for tenant admin users")
      .check(z.regex(/^[0-9a-z]{26}$/, "Please select a tenant for tenant admin users")),
  }),
]);
export type NewUser = z.infer<typeof NewUser>;

export const users = routes({
  listUsers: { method: "GET", path: "/api/admin/users", auth: "system_admin", summary: "List users", response: z.array(User) },
  createUser: {
    method: "POST",
    path: "/api/admin/users",
    auth: "system_admin",
    summary: "Create a user",
    status: 201,
    body: NewUser,
    response: User,
  },
});
