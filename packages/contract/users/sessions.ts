import * as z from "zod/mini";
import { Id, Instant, Nothing } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { User } from "./user.ts";

export const Credentials = z.strictObject({
  email: z.string("Email is required").check(z.trim(), z.toLowerCase(), z.minLength(1, "Email is required"), z.maxLength(254)),
  password: z.string("Password is required").check(z.minLength(1, "Password is required"), z.maxLength(256)),
  /** Six digits of an authenticator app, or a recovery code; requested by a 401 with code `totp_required`. */
  totpCode: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(40))),
});
export type Credentials = z.infer<typeof Credentials>;

/** Required before any other request is allowed. */
export const Pending = z.enum(["password_change", "totp_enrolment"]);
export type Pending = z.infer<typeof Pending>;

export const SignedIn = z.object({ user: User, token: z.string(), mustChangePassword: z.boolean(), pending: z.nullable(Pending) });
export type SignedIn = z.infer<typeof SignedIn>;

/** The signed-in user. A system administrator who views a tenant appears as its administrator, until that instant. */
export const Me = z.extend(User, { viewAs: z.optional(z.object({ tenantId: Id, tenantName: z.string(), until: Instant })) });
export type Me = z.infer<typeof Me>;

export const sessions = routes({
  login: {
    method: "POST",
    path: "/api/auth/login",
    auth: "public",
    summary: "Sign in",
    noStore: true,
    body: Credentials,
    response: SignedIn,
  },
  me: { method: "GET", path: "/api/auth/me", auth: "user", summary: "The signed-in user", noStore: true, response: Me },
  logout: {
    method: "POST",
    path: "/api/auth/logout",
    auth: "user",
    summary: "Sign out; the token stops working",
    status: 204,
    response: Nothing,
  },
});
