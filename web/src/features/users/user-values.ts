import { Email, type User, UserChanges } from "@vitaline/contract";
import * as z from "zod/mini";

/** What is said at a field that a user cannot do without. */
export const lacking = { email: "Email is required", password: "Password is required" };

const Changed = z.extend(z.pick(UserChanges, { firstName: true, lastName: true, role: true, tenantId: true }), {
  email: z.optional(z.pipe(z.string().check(z.trim(), z.minLength(1, lacking.email)), Email)),
});

/** What of a user can be changed in a form. */
export const ChangedUser = Changed.check(
  z.refine(({ role, tenantId }) => role !== "tenant_admin" || Boolean(tenantId), {
    path: ["tenantId"],
    error: "Please select a tenant for tenant admin users",
  }),
);
export type ChangedUser = z.infer<typeof ChangedUser>;

export const valuesOf = ({ email, firstName, lastName, role, tenantId }: User): ChangedUser => ({
  email,
  firstName,
  lastName,
  role,
  tenantId: tenantId ?? "",
});

const labels: Record<keyof ChangedUser, string> = {
  email: "email",
  firstName: "first name",
  lastName: "last name",
  role: "role",
  tenantId: "organization",
};
const names = Object.keys(labels) as (keyof ChangedUser)[];

const changedNames = (before: ChangedUser, after: ChangedUser) => names.filter((name) => (before[name] ?? "") !== (after[name] ?? ""));

/** In words, what differs between two versions. */
export const differences = (before: User, after: User): string[] =>
  changedNames(valuesOf(before), valuesOf(after)).map((name) => labels[name]);

/** Of what stands in the form, what is not as it was: the rest is left to who else changes it. */
export const changesTo = (before: User, typed: ChangedUser): ChangedUser =>
  Object.fromEntries(changedNames(valuesOf(before), typed).map((name) => [name, typed[name]]));
