import type { Counts } from "@vitaline/calls";
import type { ErrorCode } from "@vitaline/core";
import type { AuditRow } from "@vitaline/store";

/** Report classes, in display order. */
export const auditClasses = [
  "login",
  "patient_data_access",
  "fhir_interaction",
  "voice_conversation",
  "admin_action",
  "security_event",
] as const;
export type AuditClass = (typeof auditClasses)[number];

export const classNames: Readonly<Record<AuditClass, string>> = {
  login: "Logins and logouts",
  patient_data_access: "Patient data access",
  fhir_interaction: "FHIR interactions",
  voice_conversation: "Voice conversations",
  admin_action: "Admin actions",
  security_event: "Security events",
};

/** Other failures, such as an unavailable EHR, count as allowed access. */
const denialCodes: ReadonlySet<string> = new Set<ErrorCode>([
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

/** Changes of keys, passwords and second factors; revealing a key is not a change. */
const credentialActions = /^(apiKey|platformKey)\.(?!reveal$)|^access\.|password|totp/i;

type ClassifiedFields = Pick<AuditRow, "action" | "category" | "success" | "code">;

export const isRefused = ({ success, code }: Pick<AuditRow, "success" | "code">): boolean =>
  !success && code !== undefined && denialCodes.has(code);

/** A caller in an emergency was sent to help, so what was asked for was not tried. */
export const resultOf = ({ success, code }: { success: boolean; code?: string | undefined }): "success" | "failure" | "emergency" =>
  success ? "success" : code === ("emergency" satisfies ErrorCode) ? "emergency" : "failure";

/** Denials and credential changes are security events regardless of the action. */
export function classify({ action, category, success, code }: ClassifiedFields): AuditClass {
  const [noun = ""] = action.split(".", 1);
  if (isRefused({ success, code }) || credentialActions.test(action)) return "security_event";
  if (noun === "session") return "login";
  if (action === "fhirProvider.test") return "fhir_interaction";
  if (category === "patient_access") return "patient_data_access";
  if (noun === "tool" || noun === "call" || noun === "lead") return "voice_conversation";
  return "admin_action";
}

/** One row's increments to its day. The system's own actions count neither as allowed nor as denied access. */
export function countsOfAudit(row: ClassifiedFields & Pick<AuditRow, "actorKind">): Counts {
  const { action, actorKind, success } = row;
  const isDenied = isRefused(row);
  const isAccess = actorKind !== "system";
  const isLogin = action === "session.login";
  return {
    auditEvents: 1,
    securityEvents: Number(classify(row) === "security_event"),
    accessAllowed: Number(isAccess && !isDenied),
    accessDenied: Number(isAccess && isDenied),
    logins: Number(isLogin && success),
    failedLogins: Number(isLogin && isDenied),
  };
}
