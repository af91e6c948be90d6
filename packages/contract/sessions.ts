import * as z from "zod/mini";
import { Nothing } from "./fields.ts";
import { routes } from "./route.ts";
import { User } from "./users.ts";

export const Credentials = z.strictObject({
  email: z.string("Email is required").check(z.trim(), z.toLowerCase(), z.minLength(1, "Email is required"), z.maxLength(254)),
  password: z.string("Password is required").check(z.minLength(1, "Password is required"), z.maxLength(256)),
});
export type Credentials = z.infer<typeof Credentials>;

export const SignedIn = z.object({ user: User, token: z.string() });
export type SignedIn = z.infer<typeof SignedIn>;

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
  me: { method: "GET", path: "/api/auth/me", auth: "user", summary: "The signed-in user", noStore: true, response: User },
  logout: {
    method: "POST",
    path: "/api/auth/logout",
    auth: "user",
    summary: "Sign out: the token is refused from now on",
    status: 204,
    response: Nothing,
  },
});
