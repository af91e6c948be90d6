import { Call, CallScore, CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { sanitizeAnalysis, sanitizeCost, sanitizeInstant, sanitizeScore, sanitizeSeconds, sanitizeLatency } from "./sanitize.ts";

/** At most 200 characters, so that reading the row stays cheap; a split surrogate pair is replaced, as DynamoDB rejects it. */
export const truncateLine = (text: string): string => text.slice(0, 200).toWellFormed();

const instant = z.optional(
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text) => sanitizeInstant(Date.parse(text))),
  ),
);
const line = z.optional(
  z.pipe(
    z.string(),
    z.transform((text) => truncateLine(text) || undefined),
  ),
);
const text = z.optional(
  z.pipe(
    z.string(),
    z.transform((given) => given || undefined),
  ),
);
const maxScores = 100;
const withShortName = ({ name, score, ...rest }: CallScore): CallScore => ({ ...rest, name: truncateLine(name), score });
const latency = z.optional(z.pipe(z.number(), z.transform(sanitizeLatency)));

/**
 * One report from a voice platform about one call. Fields may be missing, and reports may repeat or arrive late. Unnamed fields
 * are dropped, which removes presigned recording links and live-control addresses. Instants are ISO 8601 with any offset;
 * durations are whole seconds, so that sums are exact.
 */
export const CallEvent = z.object({
  platform: Call.shape.platform,
  /** The platform's own id, of any length. Keys use its hash; the row stores the first 200 characters. */
  callId: z.string().check(z.minLength(1)),
  /** Absent when the event does not report progress. */
  status: z.optional(CallStatus),
  startedAt: instant,
  endedAt: instant,
  durationSeconds: z.optional(
    z.pipe(
      z.number(),
      z.transform((seconds) => sanitizeSeconds(Math.round(seconds))),
    ),
  ),
  /** The platform's own term. */
  endedReason: line,
  outcome: line,
  /** Transferred to a person or another number. Never reset to false. */
  forwarded: z.optional(z.boolean()),
  /** A transfer to a person was tried, answered or not. */
  transferTried: z.optional(z.boolean()),
  /** The sender itself states that the call is resolved; that stands. */
  statedResolved: z.optional(z.boolean()),
  /** The platform's own evaluation. */
  success: z.optional(z.boolean()),
  officeId: z.optional(z.string().check(z.maxLength(200))),
  agentId: line,
  direction: z.optional(z.enum(["inbound", "outbound"])),
  costAmount: z.optional(z.pipe(z.number(), z.transform(sanitizeCost))),
  /** ISO 4217. */
  costCurrency: line,
  agentName: line,
  /** The platform's own term. */
  sentiment: line,
  latencyP50Ms: latency,
  latencyP95Ms: latency,
  callerNumber: line,
  calledNumber: line,
  forwardedTo: line,
  /** Post-call analysis in fields that the tenant defines at the platform. */
  analysis: z.optional(z.pipe(z.record(z.string(), z.unknown()), z.transform(sanitizeAnalysis))),
  /** Of the criteria and scorecards that the tenant set up at the platform. */
  scores: z.optional(
    z.pipe(
      z.array(CallScore),
      z.transform((scores) => (scores.length > 0 ? scores.slice(0, maxScores).map(withShortName) : undefined)),
    ),
  ),
  /** The caller's own. */
  rating: z.optional(z.pipe(z.number(), z.transform(sanitizeScore))),
  language: line,
  recordingConsentType: line,
  recordingConsentAt: instant,
  summary: text,
  transcript: z.optional(
    z.object({
      text,
      messages: z.optional(
        z.array(z.object({ role: z.string(), text: z.string(), atSeconds: z.optional(z.pipe(z.number(), z.transform(sanitizeSeconds))) })),
      ),
    }),
  ),
});
/** The fields that are needed to end a verified identity. */
export const CallHead = z.pick(CallEvent, { platform: true, callId: true, status: true });
export type CallEvent = z.input<typeof CallEvent>;
export type ParsedCallEvent = z.output<typeof CallEvent>;
