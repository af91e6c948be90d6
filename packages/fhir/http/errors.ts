import { AppError, type ErrorCode } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import { bodyAs, OperationOutcome } from "./payload-schemas.ts";

/** `ehr_unknown_outcome`: a write that may or may not have happened; search before writing again. */
export type EhrErrorCode = Extract<ErrorCode, `ehr_${string}`>;

type Effect = "read" | "write";

const messages: Record<EhrErrorCode, string> = {
  ehr_not_configured: "No record system is connected, or it is switched off.",
  ehr_unavailable: "The record system is not available just now.",
  ehr_timeout: "The record system did not answer in time.",
  ehr_auth: "The record system does not accept our credentials.",
  ehr_forbidden: "The record system does not allow this.",
  ehr_not_found: "The record system has no such record.",
  ehr_conflict: "The record was changed or taken in the meantime.",
  ehr_invalid: "The record system sent an answer that cannot be read, or refused the request as invalid.",
  ehr_unsupported: "The record system does not support this.",
  ehr_not_allowed: "The connection's scopes do not allow this.",
  ehr_unknown_outcome: "The record system did not say whether it made the change.",
};

export const ehrError = (code: EhrErrorCode, options: { cause?: unknown; retryAfterSeconds?: number } = {}): AppError =>
  new AppError(code, messages[code], options);

const codeByStatus: Record<number, EhrErrorCode> = {
  401: "ehr_auth",
  403: "ehr_forbidden",
  404: "ehr_not_found",
  405: "ehr_unsupported",
  408: "ehr_timeout",
  409: "ehr_conflict",
  410: "ehr_not_found",
  412: "ehr_conflict",
  429: "ehr_unavailable",
  501: "ehr_unsupported",
};

/** https://hl7.org/fhir/R4/valueset-issue-type.html */
const codeByIssueType: Record<string, EhrErrorCode> = {
  "not-supported": "ehr_unsupported",
  "not-found": "ehr_not_found",
  deleted: "ehr_not_found",
  conflict: "ehr_conflict",
  "lock-error": "ehr_conflict",
  duplicate: "ehr_conflict",
  forbidden: "ehr_forbidden",
  security: "ehr_forbidden",
  suppressed: "ehr_forbidden",
  login: "ehr_auth",
  throttled: "ehr_unavailable",
  transient: "ehr_unavailable",
  timeout: "ehr_unavailable",
  incomplete: "ehr_unavailable",
  exception: "ehr_unavailable",
  "no-store": "ehr_unavailable",
};
/** For these statuses the issue types of the OperationOutcome are more specific than the status. */
const vagueStatuses = [400, 404, 422];

/** Epic's error numbers in `issue.details`, the most specific source. https://fhir.epic.com/Documentation?docId=epiconfhirerrors */
const codeByEpicNumber: Record<string, EhrErrorCode> = {
  4100: "ehr_invalid",
  4102: "ehr_not_found",
  4107: "ehr_not_found",
  4110: "ehr_invalid",
  4111: "ehr_invalid",
  4113: "ehr_unavailable",
  4118: "ehr_forbidden",
  // Break-the-glass charts: only a person may give the reason for opening them.
  4130: "ehr_forbidden",
  4131: "ehr_forbidden",
  4134: "ehr_forbidden",
  4135: "ehr_unavailable",
  40000: "ehr_invalid",
  59108: "ehr_invalid",
  59109: "ehr_invalid",
  59111: "ehr_invalid",
  59141: "ehr_conflict",
  59159: "ehr_invalid",
};
export const epicPagingExpired = "4113";
export const epicNoResults = "4101";

type Issue = OperationOutcome["issue"][number];

const isError = ({ severity }: Issue): boolean => severity !== "warning" && severity !== "information";
const numbersOf = ({ details }: Issue): string[] => (details?.coding ?? []).flatMap(({ code }) => code ?? []);
const lookUp = <T>(table: Record<string, T>, code: string): T | undefined => (Object.hasOwn(table, code) ? table[code] : undefined);

/** The error of a response that is not 2xx, else undefined. `now` is needed for a Retry-After date. */
export function responseError(response: OutboundResponse, effect: Effect, now: Date): AppError | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const retryMs = retryAfterMs(response.headers, now);
  const retryAfterSeconds = retryMs === undefined ? undefined : Math.ceil(retryMs / 1000);
  const byStatus = statusErrorCode(status, effect);
  if (byStatus === "ehr_unknown_outcome") return ehrError(byStatus, { retryAfterSeconds });
  return ehrError(issueCode(bodyAs(OperationOutcome, response), vagueStatuses.includes(status)) ?? byStatus, { retryAfterSeconds });
}

/** A write that met a failing server is `ehr_unknown_outcome`. */
export function statusErrorCode(status: number, effect: Effect): EhrErrorCode {
  const mayHaveHappened = effect === "write" && (status === 408 || (status >= 500 && status !== 501));
  return mayHaveHappened ? "ehr_unknown_outcome" : (codeByStatus[status] ?? (status >= 500 ? "ehr_unavailable" : "ehr_invalid"));
}

/** The first code among the error issues: by number, then (with `useTypes`) by issue type. */
function issueCode(outcome: OperationOutcome | undefined, useTypes = true): EhrErrorCode | undefined {
  const errors = outcome?.issue.filter(isError) ?? [];
  const byNumber = errors.flatMap(numbersOf).map((number) => lookUp(codeByEpicNumber, number));
  const byType = useTypes ? errors.map(({ code }) => lookUp(codeByIssueType, code ?? "")) : [];
  return [...byNumber, ...byType].find((code) => code !== undefined);
}

/** The error of an OperationOutcome that came with a 200; undefined for warnings alone and for a search without results. */
export function outcomeError(outcome: OperationOutcome, effect: Effect = "read"): AppError | undefined {
  if (!outcome.issue.some((issue) => isError(issue) && !numbersOf(issue).includes(epicNoResults))) return undefined;
  const code = issueCode(outcome) ?? "ehr_invalid";
  return ehrError(effect === "write" && code === "ehr_unavailable" ? "ehr_unknown_outcome" : code);
}

export const hasIssueNumber = (response: OutboundResponse, number: string): boolean =>
  bodyAs(OperationOutcome, response)?.issue.some((issue) => numbersOf(issue).includes(number)) ?? false;

/**
 * Milliseconds to wait: Retry-After as seconds or a date (RFC 9110 10.2.3), else `t` of RateLimit
 * (draft-ietf-httpapi-ratelimit-headers).
 */
export function retryAfterMs(headers: OutboundResponse["headers"], now: Date): number | undefined {
  const retryAfter = headers["retry-after"]?.trim();
  if (retryAfter !== undefined && /^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const until = retryAfter === undefined ? Number.NaN : Date.parse(retryAfter);
  if (!Number.isNaN(until)) return Math.max(0, until - now.getTime());
  const reset = /(?:^|[;,\s])t=(\d+)/.exec([headers["ratelimit"] ?? ""].flat().join(","))?.[1];
  return reset === undefined ? undefined : Number(reset) * 1000;
}
