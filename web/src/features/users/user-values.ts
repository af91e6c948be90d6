import { NewUser, Role, type User, UserChanges } from "@vitaline/contract";
import * as z from "zod/mini";

/** What stands in the form for a new user. By an invitation, nobody but the user ever knows the password. */
const Typed = z.object({
  email: z.string(),
  entry: z.enum(["invite", "password"]),
  password: z.string(),
  role: Role,
  firstName: z.string(),
  lastName: z.string(),
  tenantId: z.string(),
});
export type TypedUser = z.infer<typeof Typed>;

/** Everything that is missing is said at once. Only who sets a password is asked for one. */
const namesUser = z.check<TypedUser>(({ value: { entry, email, password, role, tenantId }, issues }) => {
  const credentials = entry === "invite" ? "Email is required" : "Email and password are required";
  const tell = (path: keyof TypedUser, message: string) => issues.push({ code: "custom", path: [path], message, input: "" });
  if (email.trim() === "") tell("email", credentials);
  if (entry === "password" && password === "") tell("password", credentials);
  if (role === "tenant_admin" && tenantId === "") tell("tenantId", "Please select a tenant for tenant admin users");
});

const asNewUser = ({ entry, password, ...typed }: TypedUser) => ({ ...typed, ...(entry === "invite" ? { invite: true } : { password }) });

export const TypedNewUser: z.ZodMiniType<NewUser, TypedUser> = z.pipe(
  z.pipe(Typed.check(namesUser), z.transform(asNewUser as (typed: TypedUser) => z.input<typeof NewUser>)),
  NewUser,
);

export const noUser: TypedUser = {
  email: "",
  entry: "invite",
  password: "",
  role: "tenant_admin",
  firstName: "",
  lastName: "",
  tenantId: "",
};

/** What of a user can be changed in a form. */
export const ChangedUser = z.pick(UserChanges, { email: true, firstName: true, lastName: true, role: true, tenantId: true }).check(
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
