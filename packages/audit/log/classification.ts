import type { ErrorCode } from "@vitaline/core";
import type { AuditRow } from "@vitaline/store";
import type { Counts } from "@vitaline/calls";

/** What reports sort the audit by, in the order in which they name them. */
export const auditClasses = [
  "login",
  "patient_data_access",
  "fhir_interaction",
  "voice_conversation",
  "admin_action",
  "security_event",
] as const;
export type AuditClass = (typeof auditClasses)[number];

/** As reports head them. */
export const classNames: Readonly<Record<AuditClass, string>> = {
  login: "Logins and logouts",
  patient_data_access: "Patient data access",
  fhir_interaction: "FHIR interactions",
  voice_conversation: "Voice conversations",
  admin_action: "Admin actions",
  security_event: "Security events",
};

/** Codes with which somebody was kept from what they asked for: who they are was not proven, or it is not theirs. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  "unauthenticated",
  "invalid_credentials",
  "session_expired",
  "forbidden",
  "read_only",
  "too_many_requests",
  "identity_required",
  "identity_not_verified",
  "identity_locked",
]);

/** Acts that change with what somebody gets in: keys, passwords, second factors. Looking at a key is not among them. */
const credentials = /^(apiKey|platformKey)\.(?!reveal$)|^access\.|password|totp/i;

type Told = Pick<AuditRow, "action" | "category" | "success" | "code">;

/** Whether the row tells of an access that was refused. Whatever else failed (an EHR that was down) was allowed. */
export const isRefused = ({ success, code }: Pick<AuditRow, "success" | "code">): boolean =>
  !success && code !== undefined && refusals.has(code);

/**
 * The one class of a report that a row belongs to. A refusal and a change of credentials are security events before
 * they are anything else; what a voice agent does is patient data access where it opens a record, else part of the conversation.
 */
export function classOf({ action, category, success, code }: Told): AuditClass {
  const [noun = ""] = action.split(".", 1);
  if (isRefused({ success, code }) || credentials.test(action)) return "security_event";
  if (noun === "session") return "login";
  if (action === "fhirProvider.test") return "fhir_interaction";
  if (category === "patient_access") return "patient_data_access";
  if (noun === "tool" || noun === "call" || noun === "lead") return "voice_conversation";
  return "admin_action";
}

/**
 * What one audit row adds to its day. Access is asked for by everybody but the platform itself: a row with a refusal is a
 * denied one, every other an allowed one, whether or not it then came to anything.
 */
export function countsOfAudit(row: Pick<AuditRow, "action" | "actorKind" | "category" | "success" | "code">): Counts {
  const { action, actorKind, success } = row;
  const denied = isRefused(row);
  const asked = actorKind !== "system";
  const signIn = action === "session.login";
  return {
    auditEvents: 1,
    securityEvents: Number(classOf(row) === "security_event"),
    accessAllowed: Number(asked && !denied),
    accessDenied: Number(asked && denied),
    logins: Number(signIn && success),
    failedLogins: Number(signIn && denied),
  };
}
