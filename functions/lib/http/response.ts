import type { Problem } from "@vitaline/contract";
import { AppError, type ErrorCode } from "@vitaline/core";
import type { HttpAnswer } from "./request.ts";

const reply = Symbol("reply");

type Extra = {
  headers?: Record<string, string>;
  /** The cursor of the next page. */
  next?: string;
  /** The status of another protocol; the body is then text and sent unchanged. */
  status?: number;
};
export type Reply<Body> = Extra & { [reply]: Body };

export const answerWith = <Body>(body: Body, extra: Extra): Reply<Body> => ({ ...extra, [reply]: body });

/** A page of rows, with a link to the next page. */
export const answerPage = <Row>({ rows, next }: { rows: Row[]; next?: string }): Reply<Row[]> => answerWith(rows, { next });

/** An answer of another protocol, sent unchanged. */
export const answerAs = (status: number, headers: Record<string, string>, text: string): Reply<string> => ({
  status,
  headers,
  [reply]: text,
});

const isReply = (answer: unknown): answer is Reply<unknown> => typeof answer === "object" && answer !== null && reply in answer;

/** Separates a handler's result into its body and the rest of the answer. */
export const readReply = (answer: unknown): Extra & { body: unknown } =>
  isReply(answer) ? { body: answer[reply], headers: answer.headers, next: answer.next, status: answer.status } : { body: answer };

/** The only mapping of error codes to HTTP statuses. */
const statusOf: Record<ErrorCode, number> = {
  invalid_request: 400,
  invalid_json: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  session_expired: 401,
  totp_required: 401,
  password_change_required: 403,
  totp_enrolment_required: 403,
  read_only: 403,
  forbidden: 403,
  tenant_inactive: 403,
  not_found: 404,
  method_not_allowed: 405,
  duplicate: 409,
  stale_version: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  not_doable: 422,
  confirmation_required: 422,
  too_many_requests: 429,
  unavailable: 503,
  deadline_exceeded: 503,
  outbound_refused: 422,
  outbound_timeout: 503,
  outbound_unreachable: 503,
  outbound_too_large: 503,
  outbound_redirect: 422,
  ehr_not_configured: 422,
  ehr_unavailable: 503,
  ehr_timeout: 503,
  ehr_auth: 503,
  ehr_forbidden: 422,
  ehr_not_found: 404,
  ehr_conflict: 409,
  ehr_not_allowed: 422,
  opted_out: 422,
  contact_not_on_file: 422,
  message_failed: 503,
  ehr_invalid: 422,
  ehr_unsupported: 422,
  ehr_unknown_outcome: 503,
  voice_platform_auth: 422,
  voice_platform_rate_limited: 503,
  voice_platform_unavailable: 503,
  voice_platform_invalid: 422,
  agent_inactive: 403,
  identity_required: 403,
  identity_not_verified: 403,
  identity_locked: 403,
  proxy_not_allowed: 403,
  slot_taken: 409,
  emergency: 409,
  in_progress: 409,
  unknown_tool: 404,
  invalid_arguments: 400,
};

export const json = (statusCode: number, body: unknown, headers: Record<string, string>): HttpAnswer => ({
  statusCode,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
});

/** Source: JSON-RPC 2.0, 5.1. */
export const jsonRpcParseError = (requestId: string): HttpAnswer =>
  json(
    400,
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "The body is not valid JSON." } },
    { "cache-control": "no-store", "x-request-id": requestId },
  );

/** Source: RFC 6750, 3. A request without a token gets no error code. */
const challenge = (code: ErrorCode | undefined, tokenSent: boolean): string =>
  `Bearer realm="Vitaline"${tokenSent && (code === "unauthenticated" || code === "session_expired") ? ', error="invalid_token"' : ""}`;

/** The answer to any error. Errors other than AppError become a 500 without details. */
export function problem(error: unknown, requestId: string, tokenSent = false): HttpAnswer {
  const known = error instanceof AppError ? error : undefined;
  const body: Problem = {
    error: known?.message ?? "Something went wrong on our side. Please try again; if it happens again, tell support the request id.",
    code: known?.code ?? "internal_error",
    requestId,
    fields: known?.fields,
  };
  const status = known ? statusOf[known.code] : 500;
  return json(status, body, {
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...(status === 401 ? { "www-authenticate": challenge(known?.code, tokenSent) } : {}),
    ...(known?.retryAfterSeconds !== undefined ? { "retry-after": String(Math.ceil(known.retryAfterSeconds)) } : {}),
  });
}
