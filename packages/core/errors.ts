/**
 * Every way a request can fail on purpose. The functions map a code to an HTTP status, and packages/tools maps it to a spoken
 * sentence. Any other thrown error is a 500 without detail.
 */
export const errorCodes = [
  "invalid_request",
  "invalid_json",
  "unauthenticated",
  "invalid_credentials",
  "session_expired",
  "totp_required",
  "password_change_required",
  "totp_enrolment_required",
  "read_only",
  "forbidden",
  "tenant_inactive",
  "not_found",
  "method_not_allowed",
  "duplicate",
  "stale_version",
  "payload_too_large",
  "unsupported_media_type",
  "not_doable",
  "confirmation_required",
  "too_many_requests",
  "unavailable",
  "deadline_exceeded",
  "outbound_refused",
  "outbound_timeout",
  "outbound_unreachable",
  "outbound_too_large",
  "outbound_redirect",
  "ehr_not_configured",
  "ehr_unavailable",
  "ehr_timeout",
  "ehr_auth",
  "ehr_forbidden",
  "ehr_not_found",
  "ehr_conflict",
  "ehr_invalid",
  "ehr_unsupported",
  "ehr_unknown_outcome",
  "ehr_not_allowed",
  "opted_out",
  "contact_not_on_file",
  "message_failed",
  "voice_platform_auth",
  "voice_platform_rate_limited",
  "voice_platform_unavailable",
  "voice_platform_invalid",
  "agent_inactive",
  "identity_required",
  "identity_not_verified",
  "identity_locked",
  "proxy_not_allowed",
  "slot_taken",
  "emergency",
  "in_progress",
  "unknown_tool",
  "invalid_arguments",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** A failure with a code. The message is a static text; variable parts go into `fields`, never patient data. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Field path → problem, for 400 responses. */
  readonly fields?: Record<string, string>;
  readonly retryAfterSeconds?: number;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const isAppError = (error: unknown, ...codes: ErrorCode[]): error is AppError =>
  error instanceof AppError && (codes.length === 0 || codes.includes(error.code));

/** The same message for a missing record and for another tenant's record. */
export const notFound = (): AppError => new AppError("not_found", "This was not found.");

type AwsError = Error & { $metadata: { httpStatusCode?: number }; $retryable?: unknown };

const isAwsError = (error: unknown): error is AwsError => error instanceof Error && "$metadata" in error;
// TransactionInProgress means our own first attempt is still running; the SDK has already waited for it.
const throttled =
  /Throttl|TransactionInProgress|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|SlowDown|LimitExceededException/;

/** Whether an AWS call failed for a transient reason: no response, a 5xx response, throttling. */
export const isRetryable = (error: unknown): boolean => {
  if (!isAwsError(error)) return false;
  const { httpStatusCode } = error.$metadata;
  return httpStatusCode === undefined || httpStatusCode >= 500 || error.$retryable !== undefined || throttled.test(error.name);
};
