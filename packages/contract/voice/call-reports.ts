import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { webhookBytes } from "./hooks.ts";
import { routes } from "../http/route.ts";
import { CallStatus } from "../calls/calls.ts";
import { PlatformCallId } from "./vapi.ts";

const words = (max: number) => z.nullish(z.string().check(z.maxLength(max)));

const latencyMs = z.number().check(z.gte(0), z.lte(600_000));

/** A call reported by its own client, for platforms without reports: OpenAI Realtime and MCP clients. */
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
  /** The forwarding number. */
  forwardedTo: words(200),
  /** A label. */
  sentiment: words(200),
  /** From the caller's last word to the agent's first. */
  latency: z.nullish(z.strictObject({ p50Ms: z.nullish(latencyMs), p95Ms: z.nullish(latencyMs) })),
  /** The analysis in the tenant's own fields; dropped above 64 KB or 100 levels. */
  analysis: z.nullish(z.record(z.string(), z.unknown())),
  scores: z.nullish(
    z
      .array(
        z.strictObject({
          name: z.string().check(z.minLength(1), z.maxLength(200)),
          score: z.nullish(z.number()),
          maxScore: z.nullish(z.number()),
          passed: z.nullish(z.boolean()),
        }),
      )
      .check(z.maxLength(100)),
  ),
  /** The caller's own. */
  rating: z.nullish(z.number()),
  language: words(200),
  recordingConsent: z.nullish(z.strictObject({ type: words(200), grantedAt: z.nullish(z.iso.datetime({ offset: true })) })),
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
    summary: "Report a call, for platforms that do not report calls themselves",
    noStore: true,
    maxBodyBytes: webhookBytes,
    body: CallReport,
    response: z.object({ received: z.literal(true), at: Instant }),
  },
});
