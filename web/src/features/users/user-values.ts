import { Email, NewUser, Role, type User, UserAccess, UserChanges } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../lib/forms/use-edit-form.ts";

export const needsCredentials = "Email and password are required";

export type TypedUser = z.infer<typeof Typed>;

/** Only the user knows a password chosen by invitation. */
const Typed = z.object({
  email: z.string(),
  entry: z.enum(["invite", "password"]),
  password: z.string(),
  role: Role,
  firstName: z.string(),
  lastName: z.string(),
  tenantId: z.string(),
  access: UserAccess,
});

export const requiredMessages = { email: "Email is required", password: "Password is required" };

/** Reports all missing fields at once. */
const checkRequired = z.check<TypedUser>(({ value: { entry, email, password, role, tenantId }, issues }) => {
  const credentials = entry === "invite" ? requiredMessages.email : needsCredentials;
  const tell = (path: keyof TypedUser, message: string) => issues.push({ code: "custom", path: [path], message, input: "" });
  if (email.trim() === "") tell("email", credentials);
  if (entry === "password" && password === "") tell("password", credentials);
  if (role === "tenant_admin" && tenantId === "") tell("tenantId", "Please select a tenant for tenant admin users");
});

const toNewUser = ({ entry, password, access, ...typed }: TypedUser) => ({
  ...typed,
  ...(typed.role === "tenant_admin" ? { access } : {}),
  ...(entry === "invite" ? { invite: true } : { password }),
});

export const TypedNewUser: z.ZodMiniType<NewUser, TypedUser> = z.pipe(
  z.pipe(Typed.check(checkRequired), z.transform(toNewUser as (typed: TypedUser) => z.input<typeof NewUser>)),
  NewUser,
);

export const emptyUser: TypedUser = {
  email: "",
  entry: "invite",
  password: "",
  role: "tenant_admin",
  firstName: "",
  lastName: "",
  tenantId: "",
  access: "administrator",
};

export const firstPasswordOptions = [
  { value: "invite", label: "Email an invitation" },
  { value: "password", label: "Set a password" },
];

export const firstPasswordHints = {
  invite: "A link to choose their own password. It works once and expires in seven days.",
  password: "You give them the password yourself. They must choose a new one the first time they sign in.",
};

const Changed = z.extend(z.pick(UserChanges, { firstName: true, lastName: true, role: true, tenantId: true, access: true }), {
  email: z.optional(z.pipe(z.string().check(z.trim(), z.minLength(1, requiredMessages.email)), Email)),
});

export const ChangedUser = Changed.check(
  z.refine(({ role, tenantId }) => role !== "tenant_admin" || Boolean(tenantId), {
    path: ["tenantId"],
    error: "Please select a tenant for tenant admin users",
  }),
);

export type ChangedUser = z.infer<typeof ChangedUser>;

export const valuesOf = ({ email, firstName, lastName, role, tenantId, access = "administrator" }: User): ChangedUser => ({
  email,
  firstName,
  lastName,
  role,
  tenantId: tenantId ?? "",
  access,
});

const labels: Record<keyof ChangedUser, string> = {
  email: "email",
  firstName: "first name",
  lastName: "last name",
  role: "role",
  tenantId: "organization",
  access: "access",
};

/** Labels of the fields that differ. */
export const differences = (before: User, after: User): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

const names = Object.keys(labels) as (keyof ChangedUser)[];

/** The fields of `typed` that differ from `before`. */
export const changesTo = (before: User, typed: ChangedUser): ChangedUser =>
  Object.fromEntries(changedFields(names, valuesOf(before), typed).map((name) => [name, typed[name]]));
