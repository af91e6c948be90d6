import * as z from "zod/mini";
import { Email, Id, Instant, Nothing } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { SignedIn } from "./sessions.ts";
import { NewPassword } from "./users.ts";

export const ForgottenPassword = z.strictObject({ email: Email });
export type ForgottenPassword = z.infer<typeof ForgottenPassword>;

/** The secret of a mailed link. */
const MailedToken = z.string("Is required").check(z.minLength(1, "Is required"), z.maxLength(200));
export const PasswordByLink = z.strictObject({ token: MailedToken, password: NewPassword });
export type PasswordByLink = z.infer<typeof PasswordByLink>;

/** Whom an open invitation is for. */
export const Invitation = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** null: to administer the platform. */
  organization: z.nullable(z.string()),
});
export type Invitation = z.infer<typeof Invitation>;

export const PasswordChange = z.strictObject({
  currentPassword: z.string("Is required").check(z.minLength(1, "Is required"), z.maxLength(256)),
  newPassword: NewPassword,
});
export type PasswordChange = z.infer<typeof PasswordChange>;

export const OpenSession = z.object({
  id: Id,
  startedAt: Instant,
  lastSeen: Instant,
  clientAddress: z.nullable(z.string()),
  /** "Firefox on Windows" */
  userAgent: z.nullable(z.string()),
  current: z.boolean(),
  /** The tenant viewed in this session. */
  viewAs: z.nullable(Id),
});
export type OpenSession = z.infer<typeof OpenSession>;

/** Six digits of an authenticator app, or a recovery code. */
const TotpCode = z.strictObject({ code: z.string("Is required").check(z.trim(), z.minLength(1, "Is required"), z.maxLength(40)) });

/** Required when the sign-in is more than five minutes old. */
export const ProofOfPassword = z.strictObject({
  currentPassword: z.optional(PasswordChange.shape.currentPassword),
});
export type ProofOfPassword = z.infer<typeof ProofOfPassword>;

/** A base32 secret, and the otpauth URI for a QR code. */
export const TotpEnrolment = z.object({ secret: z.string(), otpauthUri: z.string() });
export type TotpEnrolment = z.infer<typeof TotpEnrolment>;

export const accounts = routes({
  forgotPassword: {
    method: "POST",
    path: "/api/auth/forgot-password",
    auth: "public",
    summary: "Mail a password reset link; the answer does not reveal whether the address is known",
    status: 204,
    body: ForgottenPassword,
    response: Nothing,
  },
  resetPassword: {
    method: "POST",
    path: "/api/auth/reset-password",
    auth: "public",
    summary: "Set a new password with a mailed link, which works once within an hour; all sessions end",
    status: 204,
    body: PasswordByLink,
    response: Nothing,
  },
  acceptInvite: {
    method: "POST",
    path: "/api/auth/accept-invite",
    auth: "public",
    summary: "Set the first password with an invitation, which works once within seven days",
    status: 204,
    body: PasswordByLink,
    response: Nothing,
  },
  readInvitation: {
    method: "POST",
    path: "/api/auth/invitation",
    auth: "public",
    summary: "Whom an invitation is for; it stays valid",
    noStore: true,
    body: z.strictObject({ token: MailedToken }),
    response: Invitation,
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    auth: "user",
    summary: "Change your own password; all sessions end, and the answer opens a new one",
    noStore: true,
    body: PasswordChange,
    response: SignedIn,
  },
  listSessions: {
    method: "GET",
    path: "/api/auth/sessions",
    auth: "user",
    summary: "List your own open sessions, newest first",
    response: z.array(OpenSession),
  },
  endSession: {
    method: "DELETE",
    path: "/api/auth/sessions/{sessionId}",
    auth: "user",
    summary: "End one of your own sessions",
    status: 204,
    params: z.object({ sessionId: Id }),
    response: Nothing,
  },
  logoutEverywhere: {
    method: "POST",
    path: "/api/auth/logout-everywhere",
    auth: "user",
    summary: "End all of your own sessions, including this one",
    status: 204,
    response: Nothing,
  },
  enrollTotp: {
    method: "POST",
    path: "/api/auth/totp/enroll",
    auth: "user",
    summary: "Create a secret for an authenticator app; it takes effect when a code is confirmed",
    noStore: true,
    body: ProofOfPassword,
    response: TotpEnrolment,
  },
  confirmTotp: {
    method: "POST",
    path: "/api/auth/totp/confirm",
    auth: "user",
    summary: "Turn on the second factor; the answer has ten recovery codes, shown once",
    noStore: true,
    body: TotpCode,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  },
  removeTotp: {
    method: "DELETE",
    path: "/api/auth/totp",
    auth: "user",
    summary: "Turn off the second factor; all other sessions end",
    status: 204,
    body: TotpCode,
    response: Nothing,
  },
  viewAs: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/view-as",
    auth: "system_admin",
    summary: "View a tenant's dashboard as its administrator, read-only, for 15 minutes",
    status: 201,
    noStore: true,
    params: z.object({ tenantId: Id }),
    response: z.object({ token: z.string(), expiresAt: Instant }),
  },
});
