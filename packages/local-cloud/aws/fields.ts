import { AwsError } from "./error.ts";

export type Input = Record<string, unknown>;

/** A required string field of a JSON request. */
export function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalidField(name, "must be a string that is not empty");
}

export function optionalText(input: Input, name: string): string | undefined {
  return input[name] === undefined || input[name] === null ? undefined : text(input, name);
}

/** A required binary field (base64 on the wire) of at most `maxBytes`. */
export function bytes(input: Input, name: string, maxBytes: number): Buffer {
  const decoded = Buffer.from(text(input, name), "base64");
  if (decoded.length === 0 || decoded.length > maxBytes) throw invalidField(name, `must have length between 1 and ${maxBytes}`);
  return decoded;
}

/** A map of strings; absent is empty. */
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
