import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { OperationOutcome, OperationOutcomeIssue } from "fhir/r4.js";

/** An HTTP error with the issue type of its OperationOutcome. */
export class Refusal extends Error {
  readonly status: number;
  readonly issue: OperationOutcomeIssue["code"];
  readonly headers: Record<string, string>;

  constructor(status: number, issue: OperationOutcomeIssue["code"], diagnostics: string, headers: Record<string, string> = {}) {
    super(diagnostics);
    this.status = status;
    this.issue = issue;
    this.headers = headers;
  }
}

export const operationOutcome = (refusal: Refusal): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code: refusal.issue, diagnostics: refusal.message }],
});

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: object | string | Buffer | Readable;
}

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

const maxBodyBytes = 1 << 20;

export async function readCall(request: IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? "/", "http://sandbox");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Refusal(413, "too-long", "The body is larger than 1 MiB");
    chunks.push(chunk);
  }
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

export const formOf = (call: Call): URLSearchParams | undefined =>
  /^application\/x-www-form-urlencoded\b/i.test(call.headers["content-type"] ?? "") ? new URLSearchParams(call.body) : undefined;

const isStream = (body: Reply["body"]): body is Readable => typeof body === "object" && "pipe" in body;

export function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (isStream(body)) {
    response.writeHead(status, { "Cache-Control": "no-store", ...headers });
    body.pipe(response);
    return;
  }
  const bytes = asBytes(body);
  const contentType = typeof body === "string" ? "text/html; charset=utf-8" : "application/fhir+json; charset=utf-8";
  response.writeHead(status, { ...(bytes.length > 0 ? { "Content-Type": contentType } : {}), "Cache-Control": "no-store", ...headers });
  response.end(bytes);
}

export function asBytes(body: Exclude<Reply["body"], Readable>): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

export function refusalReply(error: unknown, outcome = operationOutcome): Reply {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, "exception", error instanceof Error ? error.message : "Unexpected failure");
  return { status: refusal.status, headers: refusal.headers, body: outcome(refusal) };
}

/** Errors of the token endpoint: RFC 6749 section 5.2. */
export class TokenRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export const invalidClient = (text: string): never => {
  throw new TokenRefusal(401, "invalid_client", text);
};
