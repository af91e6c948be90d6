import { Call, CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { believedAnalysis, believedCost, believedInstant, believedLatency, believedSeconds } from "./sanitize.ts";

const instant = z.optional(
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text) => believedInstant(Date.parse(text))),
  ),
);
/** The beginning of a foreign text, for a row: an essay would make every read dearer. No half of a pair of surrogates: DynamoDB takes none. */
export const line = (text: string): string => text.slice(0, 200).toWellFormed();
/** A word or a line of the platform's. */
const short = z.optional(
  z.pipe(
    z.string(),
    z.transform((text) => line(text) || undefined),
  ),
);
const text = z.optional(
  z.pipe(
    z.string(),
    z.transform((given) => given || undefined),
  ),
);

const latency = z.optional(z.pipe(z.number(), z.transform(believedLatency)));

/**
 * What a voice platform says about one call: any piece may be missing, come twice, or come late. Nothing that is not named
 * here is kept, so presigned recording links and live-control addresses end at this schema. What is beyond belief is absent.
 * Instants are ISO 8601 with any offset, durations seconds (kept whole, so that sums are exact).
 */
export const CallEvent = z.object({
  platform: Call.shape.platform,
  /** The platform's own id, of any length: keys hold its hash, the row its beginning. */
  callId: z.string().check(z.minLength(1)),
  /** Absent: the event says nothing about how far the call is. */
  status: z.optional(CallStatus),
  startedAt: instant,
  endedAt: instant,
  durationSeconds: z.optional(
    z.pipe(
      z.number(),
      z.transform((seconds) => believedSeconds(Math.round(seconds))),
    ),
  ),
  /** The platform's own word for why it ended. */
  endedReason: short,
  /** What came of the call, in a few words. */
  outcome: short,
  /** The call left for a person or another number. Once said, it stays so. */
  forwarded: z.optional(z.boolean()),
  /** The platform's own evaluation. */
  success: z.optional(z.boolean()),
  officeId: z.optional(z.string().check(z.maxLength(200))),
  agentId: short,
  direction: z.optional(z.enum(["inbound", "outbound"])),
  costAmount: z.optional(z.pipe(z.number(), z.transform(believedCost))),
  /** ISO 4217. */
  costCurrency: short,
  agentName: short,
  /** The platform's word for how the caller felt. */
  sentiment: short,
  latencyP50Ms: latency,
  latencyP95Ms: latency,
  callerNumber: short,
  calledNumber: short,
  forwardedTo: short,
  /** What the platform made of the call, in the tenant's own fields. */
  analysis: z.optional(z.pipe(z.record(z.string(), z.unknown()), z.transform(believedAnalysis))),
  summary: text,
  transcript: z.optional(
    z.object({
      text,
      messages: z.optional(
        z.array(z.object({ role: z.string(), text: z.string(), atSeconds: z.optional(z.pipe(z.number(), z.transform(believedSeconds))) })),
      ),
    }),
  ),
});
/** What must be known to end an identity. */
export const CallHead = z.pick(CallEvent, { platform: true, callId: true, status: true });
export type CallEvent = z.input<typeof CallEvent>;
export type ParsedCallEvent = z.output<typeof CallEvent>;
