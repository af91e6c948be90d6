import { AppError, type ErrorCode } from "@vitaline/core";

/** How a call to an EHR fails. `ehr_unknown_outcome` is a write of which nobody knows whether it happened: search before writing again. */
export type EhrErrorCode = Extract<ErrorCode, `ehr_${string}`>;

const messages: Record<EhrErrorCode, string> = {
  ehr_not_configured: "No record system is connected, or it is switched off.",
  ehr_unavailable: "The record system is not available just now.",
  ehr_timeout: "The record system did not answer in time.",
  ehr_auth: "The record system does not accept our credentials.",
  ehr_forbidden: "The record system does not allow this.",
  ehr_not_found: "The record system has no such record.",
  ehr_conflict: "The record was changed or taken by somebody else meanwhile.",
  ehr_invalid: "The record system and we do not understand each other.",
  ehr_unsupported: "The record system does not support this.",
  ehr_not_allowed: "The connection's scopes do not allow this.",
  ehr_unknown_outcome: "The record system did not say whether it made the change.",
};

export const ehrError = (code: EhrErrorCode, options: { cause?: unknown; retryAfterSeconds?: number } = {}): AppError =>
  new AppError(code, messages[code], options);
