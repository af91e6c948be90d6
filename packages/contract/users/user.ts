import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";

export const Role = z.enum(["system_admin", "tenant_admin"]);
export type Role = z.infer<typeof Role>;

/** What a tenant administrator may do: `permissions` in packages/contract/access.ts. */
export const UserAccess = z.enum(["administrator", "staff", "auditor"]);
export type UserAccess = z.infer<typeof UserAccess>;

export const User = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  /** Of a tenant administrator; absent: administrator. */
  access: z.optional(UserAccess),
  firstName: z.string(),
  lastName: z.string(),
  tenantId: z.nullable(Id),
  tenantName: z.nullable(z.string()),
  isActive: z.boolean(),
  lastLogin: z.nullable(Instant),
  createdAt: Instant,
  hasTotp: z.boolean(),
  /** An administrator chose the password: the user must change it at the next sign-in. */
  mustChangePassword: z.boolean(),
  /** When the pending invitation was mailed. */
  invitedAt: z.nullable(Instant),
  /** After too many failed sign-ins, further ones are refused until then, at least from the same network. null: not locked. */
  lockedUntil: z.nullable(Instant),
  version: z.number(),
});
export type User = z.infer<typeof User>;
