import * as z from "zod/mini";
import { webhookBytes } from "./hooks.ts";
import { routes } from "../http/route.ts";

/**
 * Only the envelope is validated, because Vapi's fields change between releases; the adapter parses the known ones. Source: Vapi
 * server SDK 2.0.1.
 */
export const VapiMessage = z.looseObject({ message: z.looseObject({ type: z.string().check(z.maxLength(200)) }) });
export type VapiMessage = z.infer<typeof VapiMessage>;

/**
 * One answer per tool call, in order: a sentence, or JSON with `speech` and `data`. HTTP 200 even if a tool
 * failed, because Vapi ignores other responses; 400 if the request has no valid call or over 100 tool calls.
 */
export const VapiToolResults = z.object({
  results: z.array(
    z.object({
      toolCallId: z.string(),
      name: z.string(),
      result: z.optional(z.string()),
      error: z.optional(z.string()),
      metadata: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});
export type VapiToolResults = z.infer<typeof VapiToolResults>;

/** A voice platform's own call id. */
export const PlatformCallId = z.string("Must be text").check(
  z.trim(),
  z.minLength(1, "Is required"),
  z.maxLength(1000, "Must be at most 1000 characters"),
  // A lone surrogate would be stored as the replacement character, and two calls could get one id.
  z.refine((id) => id.isWellFormed(), "Must be whole characters"),
);

/** A call summary from another automation, without Vapi's envelope. */
export const FlatCallSummary = z.object({
  callId: PlatformCallId,
  summary: z.string().check(z.maxLength(20_000)),
  outcome: z.nullish(z.string().check(z.maxLength(200))),
  resolved: z.nullish(z.boolean()),
  durationSeconds: z.nullish(z.number().check(z.gte(0), z.lte(86_400))),
  endedReason: z.nullish(z.string().check(z.maxLength(200))),
});
export type FlatCallSummary = z.infer<typeof FlatCallSummary>;

export const vapi = routes({
  vapiToolCall: {
    method: "POST",
    path: "/api/vapi/tool-call",
    auth: "key",
    summary: "Run the tools that a Vapi assistant asks for",
    noStore: true,
    maxBodyBytes: webhookBytes,
    body: VapiMessage,
    response: z.unknown(),
  },
  vapiCallSummary: {
    method: "POST",
    path: "/api/vapi/call-summary",
    auth: "key",
    summary: "Receive a call summary: Vapi's end-of-call-report or the flat form",
    noStore: true,
    maxBodyBytes: webhookBytes,
    body: z.union([VapiMessage, FlatCallSummary]),
    response: z.object({ received: z.literal(true) }),
  },
  vapiServer: {
    method: "POST",
    path: "/api/vapi/server",
    auth: "key",
    summary: "Receive Vapi's server messages",
    noStore: true,
    maxBodyBytes: webhookBytes,
    body: VapiMessage,
    response: z.unknown(),
  },
});
