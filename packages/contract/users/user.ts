import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";

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
  hasTotp: z.boolean(),
  /** Somebody else chose the password: the user has to choose another at the next sign-in. */
  mustChangePassword: z.boolean(),
  /** When the invitation was mailed that nobody has accepted yet. */
  invitedAt: z.nullable(Instant),
  /** Too many failed sign-ins: further ones are refused until then, at least from where they came. Null where nobody is kept out. */
  lockedUntil: z.nullable(Instant),
  version: z.number(),
});
export type User = z.infer<typeof User>;
