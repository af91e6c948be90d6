import type { IncomingMessage } from "node:http";
import { AwsError } from "./respond.ts";

/** DynamoDB's BatchWriteItem is the largest JSON request: 16 MB of items. */
const MAX_BODY_BYTES = 24 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new AwsError(413, "RequestEntityTooLargeException", "The request is too large.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Throws SerializationException unless the body is a JSON object. */
export function readJson(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.length > 0 ? body.toString() : "{}");
  } catch {
    throw new AwsError(400, "SerializationException", "The body is not JSON.");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AwsError(400, "SerializationException", "Start of structure or map found where not expected.");
}

export type Input = Record<string, unknown>;

export function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalidField(name, "must be a string that is not empty");
}

export function optionalText(input: Input, name: string): string | undefined {
  return input[name] === undefined || input[name] === null ? undefined : text(input, name);
}

export function bytes(input: Input, name: string, maxBytes: number): Buffer {
  const decoded = Buffer.from(text(input, name), "base64");
  if (decoded.length === 0 || decoded.length > maxBytes) throw invalidField(name, `must have length between 1 and ${maxBytes}`);
  return decoded;
}

export function textMap(input: Input, name: string): Record<string, string> {
  const value = (input[name] ?? {}) as Record<string, string>;
  if (typeof value !== "object" || Object.values(value).some((entry) => typeof entry !== "string")) {
    throw invalidField(name, "must be a map of strings");
  }
  return value;
}

export function invalidField(name: string, rule: string): AwsError {
  return new AwsError(
    400,
    "ValidationException",
    `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member ${rule}`,
  );
}
