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
    summary: "Mail a link to choose a new password; the answer does not tell whether the address is known",
    status: 204,
    body: ForgottenPassword,
    response: Nothing,
  },
  resetPassword: {
    method: "POST",
    path: "/api/auth/reset-password",
    auth: "public",
    summary: "Choose a new password by a mailed link: it works once, for an hour, and all sessions end",
    status: 204,
    body: PasswordByLink,
    response: Nothing,
  },
  acceptInvite: {
    method: "POST",
    path: "/api/auth/accept-invite",
    auth: "public",
    summary: "Choose the first password by an invitation: it works once, for seven days",
    status: 204,
    body: PasswordByLink,
    response: Nothing,
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    auth: "user",
    summary: "Change one's own password: every session ends, and the answer opens a new one",
    noStore: true,
    body: PasswordChange,
    response: SignedIn,
  },
  listSessions: {
    method: "GET",
    path: "/api/auth/sessions",
    auth: "user",
    summary: "One's own open sessions, newest first",
    response: z.array(OpenSession),
  },
  endSession: {
    method: "DELETE",
    path: "/api/auth/sessions/{sessionId}",
    auth: "user",
    summary: "End one of one's own sessions",
    status: 204,
    params: z.object({ sessionId: Id }),
    response: Nothing,
  },
  logoutEverywhere: {
    method: "POST",
    path: "/api/auth/logout-everywhere",
    auth: "user",
    summary: "End all of one's own sessions, this one included",
    status: 204,
    response: Nothing,
  },
  enrollTotp: {
    method: "POST",
    path: "/api/auth/totp/enroll",
    auth: "user",
    summary: "A new secret for an authenticator; it counts once a code of it was confirmed",
    noStore: true,
    body: ProofOfPassword,
    response: TotpEnrolment,
  },
  confirmTotp: {
    method: "POST",
    path: "/api/auth/totp/confirm",
    auth: "user",
    summary: "Turn the second factor on; the answer holds ten recovery codes, shown once",
    noStore: true,
    body: TotpCode,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  },
  removeTotp: {
    method: "DELETE",
    path: "/api/auth/totp",
    auth: "user",
    summary: "Turn the second factor off; every other session ends",
    status: 204,
    body: TotpCode,
    response: Nothing,
  },
  viewAs: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/view-as",
    auth: "system_admin",
    summary: "See a tenant's console as its administrator does: 15 minutes, read-only",
    status: 201,
    noStore: true,
    params: z.object({ tenantId: Id }),
    response: z.object({ token: z.string(), expiresAt: Instant }),
  },
});
