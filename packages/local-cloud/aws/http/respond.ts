import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { xml } from "../s3/xml.ts";
import type { Answer } from "../types.ts";

export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, unknown>;

  constructor(status: number, code: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.name = "AwsError";
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

const CONTENT_TYPES: Record<string, string> = { dynamodb: "application/x-amz-json-1.0", "sms-voice": "application/x-amz-json-1.0" };

export function jsonAnswer(service: string, body: object, status = 200): Answer {
  return { status, headers: { "content-type": CONTENT_TYPES[service] ?? "application/x-amz-json-1.1" }, body: JSON.stringify(body) };
}

/** XML for S3 and STS, JSON for the other services. An unexpected error becomes a 500 without details. */
export function errorAnswer(service: string, error: unknown): Answer {
  const { status, code, message, fields } = error instanceof AwsError ? error : internalFailure();
  if (service === "s3") {
    const body = xml("Error", { Code: code, Message: message, ...(fields as Record<string, string>) });
    return { status, headers: { "content-type": "application/xml" }, body };
  }
  if (service === "sts") {
    const body = xml("ErrorResponse", { Error: { Type: "Sender", Code: code, Message: message } });
    return { status, headers: { "content-type": "text/xml" }, body };
  }
  // Only DynamoDB's serialization errors spell "Message" with a capital letter; SDKs read both
  const answer = jsonAnswer(service, { __type: code, message, ...fields }, status);
  return { ...answer, headers: { ...answer.headers, "x-amzn-errortype": code } };
}

function internalFailure(): AwsError {
  return new AwsError(500, "InternalServerError", "The request processing has failed because of an unknown error.");
}

export async function send(response: ServerResponse, { status = 200, headers = {}, body = "" }: Answer): Promise<void> {
  response.setHeader("x-amzn-requestid", randomUUID());
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    // HEAD answers state the length of the omitted body
    response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  await pipeline(body, response);
}
