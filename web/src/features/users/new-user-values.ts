import { NewUser, Role } from "@vitaline/contract";
import * as z from "zod/mini";
import { lacking } from "./user-values.ts";

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

/** Said of the form in which a password is set for somebody, where either is missing. */
export const needsCredentials = "Email and password are required";

/** Everything that is missing is said at once. Only who sets a password is asked for one. */
const namesUser = z.check<TypedUser>(({ value: { entry, email, password, role, tenantId }, issues }) => {
  const credentials = entry === "invite" ? lacking.email : needsCredentials;
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

/** How they get their first password. */
export const entries = [
  { value: "invite", label: "Email an invitation" },
  { value: "password", label: "Set a password" },
];
export const entryHints = {
  invite: "A link by which they choose their own password. It works once, for seven days.",
  password: "You tell it to them yourself. They have to choose another one when they first sign in.",
};
