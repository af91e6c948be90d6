import type { AppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import { ehrError, type EhrErrorCode } from "./errors.ts";
import { retryAfterMs } from "./retry-after.ts";
import { bodyAs, OperationOutcome } from "./wire.ts";

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
};
/** With these a server says little of its own; its OperationOutcome may say more. */
const vague = [400, 404, 422];

/** What an answer that is not 2xx means; undefined for one that is. A write that met a failing server may have happened. */
export function refusalOf(response: OutboundResponse, effect: "read" | "write", now: Date): AppError | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const retryMs = retryAfterMs(response.headers, now);
  const retryAfterSeconds = retryMs === undefined ? undefined : Math.ceil(retryMs / 1000);
  const mayHaveHappened = effect === "write" && (status === 408 || (status >= 500 && status !== 501));
  if (mayHaveHappened) return ehrError("ehr_unknown_outcome", { retryAfterSeconds });
  return ehrError(
    (vague.includes(status) && issueCode(response)) || byStatus[status] || (status >= 500 ? "ehr_unavailable" : "ehr_invalid"),
    { retryAfterSeconds },
  );
}

const issueCode = (response: OutboundResponse): EhrErrorCode | undefined =>
  bodyAs(OperationOutcome, response)
    ?.issue.filter(({ severity }) => severity !== "warning" && severity !== "information")
    .map(({ code }) => byIssue[code ?? ""])
    .find((code) => code !== undefined);
