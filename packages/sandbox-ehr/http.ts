import type { IncomingMessage, ServerResponse } from "node:http";
import { operationOutcome, Refusal } from "./refusal.ts";

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string as it is. */
  body?: object | string;
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

export function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  const contentType = typeof body === "string" ? "text/html; charset=utf-8" : "application/fhir+json; charset=utf-8";
  response.writeHead(status, { ...(text ? { "Content-Type": contentType } : {}), "Cache-Control": "no-store", ...headers });
  response.end(text);
}

export function refusalReply(error: unknown): Reply {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, "exception", error instanceof Error ? error.message : "Unexpected failure");
  return { status: refusal.status, headers: refusal.headers, body: operationOutcome(refusal) };
}
