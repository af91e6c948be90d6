import { destinationPath } from "@vitaline/voice-providers/being-put-through.ts";
import { CannotCall } from "../demo-file.ts";

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((found, step) => (found as Record<string, unknown> | null | undefined)?.[step], value);

/** The number that the platform's own transfer tool finds in the routing tool's answer. Throws CannotCall where it would dial nothing. */
export function dialedNumber(routingAnswer: unknown): string {
  const number = at(routingAnswer, destinationPath);
  if (typeof number !== "string" || !/^\+[1-9]\d{6,14}$/.test(number))
    throw new CannotCall(`The transfer tool has no number to dial: ${JSON.stringify(routingAnswer)}`);
  return number;
}
