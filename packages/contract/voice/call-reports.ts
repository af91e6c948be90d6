import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { webhookBytes } from "./hooks.ts";
import { routes } from "../http/route.ts";
import { CallStatus } from "../calls/calls.ts";
import { PlatformCallId } from "./vapi.ts";

const words = (max: number) => z.nullish(z.string().check(z.maxLength(max)));

const latencyMs = z.number().check(z.gte(0), z.lte(600_000));

/** A call as its own client tells it, for platforms that report none: OpenAI Realtime and clients of MCP. */
export const CallReport = z.strictObject({
  platform: z.enum(["openai", "mcp"]),
  callId: PlatformCallId,
  status: z._default(CallStatus, "completed"),
  startedAt: z.nullish(z.iso.datetime({ offset: true })),
  endedAt: z.nullish(z.iso.datetime({ offset: true })),
  durationSeconds: z.nullish(z.number().check(z.gte(0), z.lte(86_400))),
  endedReason: words(200),
  outcome: words(200),
  forwarded: z.nullish(z.boolean()),
  success: z.nullish(z.boolean()),
  officeId: z.nullish(Id),
  agentId: words(200),
  agentName: words(200),
  direction: z.nullish(z.enum(["inbound", "outbound"])),
  cost: z.nullish(
    z.strictObject({ amount: z.number().check(z.gte(0)), currency: z.string().check(z.regex(/^[A-Z]{3}$/, "Must be an ISO 4217 code")) }),
  ),
  callerNumber: words(200),
  calledNumber: words(200),
  /** The number that the call was put through to. */
  forwardedTo: words(200),
  /** A word for how the caller felt. */
  sentiment: words(200),
  /** From the end of the caller's words to the agent's. */
  latency: z.nullish(z.strictObject({ p50Ms: z.nullish(latencyMs), p95Ms: z.nullish(latencyMs) })),
  /** What was made of the call, in the tenant's own fields; more than 64 KB, or deeper than 100 levels, is not kept. */
  analysis: z.nullish(z.record(z.string(), z.unknown())),
  summary: words(20_000),
  transcript: z.nullish(
    z.strictObject({
      text: z.nullish(z.string()),
      messages: z.nullish(
        z.array(
          z.strictObject({
            role: z.enum(["caller", "assistant", "staff"]),
            text: z.string(),
            atSeconds: z.nullish(z.number().check(z.gte(0), z.lte(86_400))),
          }),
        ),
      ),
    }),
  ),
});
export type CallReport = z.infer<typeof CallReport>;

export const callReports = routes({
  reportCall: {
    method: "POST",
    path: "/api/calls",
    auth: "key",
    summary: "Report how a call went, for platforms that do not do so by themselves",
    noStore: true,
    maxBodyBytes: webhookBytes,
    body: CallReport,
    response: z.object({ received: z.literal(true), at: Instant }),
  },
});
