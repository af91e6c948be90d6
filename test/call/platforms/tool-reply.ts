import { destinationPath } from "@vitaline/voice-providers/being-put-through.ts";
import * as z from "zod/mini";
import { CannotCall } from "../demo-file.ts";
import type { ToolReply } from "../phone-call.ts";

const GenericReply = z.object({
  ok: z.optional(z.boolean()),
  speech: z.optional(z.string()),
  error: z.optional(z.string()),
  data: z.optional(z.unknown()),
});

/** The generic form of a tool's result, for platforms without their own. Throws CannotCall for an invalid one. */
export function parseToolReply(answer: unknown, ms: number): ToolReply {
  const { ok = true, speech, error, data } = z.safeParse(GenericReply, answer).data ?? {};
  const line = error ?? speech;
  if (line === undefined) throw new CannotCall(`The platform did not answer the tool call: ${JSON.stringify(answer)}`);
  return { ok: ok && error === undefined, speech: line, found: data, ms };
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((found, step) => (found as Record<string, unknown> | null | undefined)?.[step], value);

/** The number that the platform's own transfer tool finds in the routing tool's answer. Throws CannotCall where it would dial nothing. */
export function dialedNumber(routingAnswer: unknown): string {
  const number = at(routingAnswer, destinationPath);
  if (typeof number !== "string" || !/^\+[1-9]\d{6,14}$/.test(number))
    throw new CannotCall(`The transfer tool has no number to dial: ${JSON.stringify(routingAnswer)}`);
  return number;
}
