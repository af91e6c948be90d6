import { AppError, type ErrorCode } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import { bodyAs, OperationOutcome } from "./payload-schemas.ts";

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

const byStatus: Record<number, EhrErrorCode> = {
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

/** Issue types that say more than the status they come with. https://hl7.org/fhir/R4/valueset-issue-type.html */
const byIssue: Record<string, EhrErrorCode> = {
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
/** With these a server says little of its own; its OperationOutcome may say more. */
const vague = [400, 404, 422];

/** Epic's numbers, in an issue's details; they say most of all. https://fhir.epic.com/Documentation?docId=epiconfhirerrors */
const byNumber: Record<string, EhrErrorCode> = {
  4100: "ehr_invalid",
  4102: "ehr_not_found",
  4107: "ehr_not_found",
  4110: "ehr_invalid",
  4111: "ehr_invalid",
  4113: "ehr_unavailable",
  4118: "ehr_forbidden",
  // A chart that is opened only by somebody who gives a reason: a person's decision
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
/** A search's pages have been forgotten; nothing was found. */
export const epicPagingExpired = "4113";
export const epicNoResults = "4101";

type Issue = OperationOutcome["issue"][number];

const isError = ({ severity }: Issue): boolean => severity !== "warning" && severity !== "information";
const numbersOf = ({ details }: Issue): string[] => (details?.coding ?? []).flatMap(({ code }) => code ?? []);
const ownCode = <T>(table: Record<string, T>, code: string): T | undefined => (Object.hasOwn(table, code) ? table[code] : undefined);

/** What an answer that is not 2xx means; undefined for one that is. A write that met a failing server may have happened. */
export function responseError(response: OutboundResponse, effect: "read" | "write", now: Date): AppError | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const retryMs = retryAfterMs(response.headers, now);
  const retryAfterSeconds = retryMs === undefined ? undefined : Math.ceil(retryMs / 1000);
  const ofStatus = statusErrorCode(status, effect);
  if (ofStatus === "ehr_unknown_outcome") return ehrError(ofStatus, { retryAfterSeconds });
  return ehrError(issueCode(bodyAs(OperationOutcome, response), vague.includes(status)) ?? ofStatus, { retryAfterSeconds });
}

/** What a status alone means. */
export function statusErrorCode(status: number, effect: "read" | "write"): EhrErrorCode {
  const mayHaveHappened = effect === "write" && (status === 408 || (status >= 500 && status !== 501));
  return mayHaveHappened ? "ehr_unknown_outcome" : (byStatus[status] ?? (status >= 500 ? "ehr_unavailable" : "ehr_invalid"));
}

/** What the errors among the issues mean: by their numbers, and by their types where these may say more than what they come with. */
function issueCode(outcome: OperationOutcome | undefined, typesCount = true): EhrErrorCode | undefined {
  const errors = outcome?.issue.filter(isError) ?? [];
  const ofNumbers = errors.flatMap(numbersOf).map((number) => ownCode(byNumber, number));
  const ofTypes = typesCount ? errors.map(({ code }) => ownCode(byIssue, code ?? "")) : [];
  return [...ofNumbers, ...ofTypes].find((code) => code !== undefined);
}

/**
 * What an outcome with an error means that came as, or within, an answer of 200: it is a no, also where nothing tells which. A write
 * that met a failing server may have happened. Undefined for warnings alone, and for a search that found nothing.
 */
export function outcomeError(outcome: OperationOutcome, effect: "read" | "write" = "read"): AppError | undefined {
  if (!outcome.issue.some((issue) => isError(issue) && !numbersOf(issue).includes(epicNoResults))) return undefined;
  const code = issueCode(outcome) ?? "ehr_invalid";
  return ehrError(effect === "write" && code === "ehr_unavailable" ? "ehr_unknown_outcome" : code);
}

/** Whether an answer's issues, of whatever severity, bear this number. */
export const hasIssueNumber = (response: OutboundResponse, number: string): boolean =>
  bodyAs(OperationOutcome, response)?.issue.some((issue) => numbersOf(issue).includes(number)) ?? false;

/**
 * How long a server asks us to wait, in milliseconds: Retry-After as seconds or as a date (RFC 9110 10.2.3), else the
 * `t` of RateLimit (draft-ietf-httpapi-ratelimit-headers), which some servers send instead.
 */
export function retryAfterMs(headers: OutboundResponse["headers"], now: Date): number | undefined {
  const asked = headers["retry-after"]?.trim();
  if (asked !== undefined && /^\d+$/.test(asked)) return Number(asked) * 1000;
  const until = asked === undefined ? Number.NaN : Date.parse(asked);
  if (!Number.isNaN(until)) return Math.max(0, until - now.getTime());
  const reset = /(?:^|[;,\s])t=(\d+)/.exec([headers["ratelimit"] ?? ""].flat().join(","))?.[1];
  return reset === undefined ? undefined : Number(reset) * 1000;
}
