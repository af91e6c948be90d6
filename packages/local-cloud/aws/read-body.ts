import type { IncomingMessage } from "node:http";
import { AwsError } from "./error.ts";

/** DynamoDB's BatchWriteItem is the largest request of a JSON service: 16 MB of items. */
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

/** The body of a JSON service: an object, or SerializationException. */
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
