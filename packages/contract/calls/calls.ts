import * as z from "zod/mini";
import { Id, Instant, optionalLine, PageQuery } from "../http/fields.ts";
import { flag, from, fromBeforeTo, optionally, to } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { RoutingReason } from "./routing.ts";

/** Only `completed` counts as successful. */
export const CallStatus = z.enum(["queued", "ringing", "in_progress", "completed", "no_answer", "failed", "cancelled", "unknown"]);
export type CallStatus = z.infer<typeof CallStatus>;

export const Call = z.object({
  id: z.string(),
  platform: z.enum(["vapi", "retellai", "elevenlabs", "openai", "mcp"]),
  createdAt: Instant,
  /** Seconds; null while unknown. */
  duration: z.nullable(z.number()),
  status: CallStatus,
  toolsUsed: z.array(z.string()),
  /** A tool helped, or the platform or the sender says so; not put through, and not abandoned. */
  resolved: z.boolean(),
  forwarded: z.boolean(),
  /** The caller gave up or was cut off, or asked for a person and reached none. */
  abandoned: z.boolean(),
  outcome: z.nullable(z.string()),
  endedReason: z.nullable(z.string()),
  /** Made in the console to try the tools; in no total. Absent for a caller's call. */
  isTest: z.optional(z.literal(true)),
});
export type Call = z.infer<typeof Call>;

/** What a tool achieved in a call. */
export const CallResult = z.enum([
  "booked",
  "rescheduled",
  "canceled",
  "visit_requested",
  "refill_requested",
  "message_taken",
  "registered",
  "details_changed",
  "insurance_checked",
  "callback_promised",
  "emergency",
]);
export type CallResult = z.infer<typeof CallResult>;

/** `version` is that of the follow-up. */
export const ListedCall = z.extend(Call, {
  /** null while the agent has not logged it and no tool shows it. */
  intent: z.nullable(RoutingReason),
  /** The last four digits of the other party's number; null without one, and after the texts' retention period. */
  numberEnding: z.nullable(z.string()),
  agentName: z.nullable(z.string()),
  /** In the order of CallResult. */
  results: z.array(CallResult),
  officeId: z.nullable(z.string()),
  agentId: z.nullable(z.string()),
  direction: z.nullable(z.enum(["inbound", "outbound"])),
  /** The platform's own evaluation; null if it made none. */
  success: z.nullable(z.boolean()),
  needsFollowUp: z.boolean(),
  /** A run of a tool failed; absent where none did. */
  toolFailed: z.optional(z.literal(true)),
  version: z.number(),
});
export type ListedCall = z.infer<typeof ListedCall>;

/** A run of a tool, without its input and result. `emergency`: the caller told of one and was told whom to call, so the tool did not run. */
export const ToolRun = z.object({
  id: Id,
  createdAt: Instant,
  toolName: z.string(),
  status: z.enum(["succeeded", "failed", "emergency"]),
  code: z.nullable(z.string()),
  ms: z.number(),
  requestId: z.string(),
  callId: z.string(),
});
export type ToolRun = z.infer<typeof ToolRun>;

/** `atSeconds`: from the start of the call. */
const Transcript = z.object({
  text: z.optional(z.string()),
  messages: z.optional(z.array(z.object({ role: z.string(), text: z.string(), atSeconds: z.optional(z.number()) }))),
});
/** The result of one criterion or scorecard that the tenant set up at the platform. */
export const CallScore = z.object({
  name: z.string(),
  score: z.nullable(z.number()),
  maxScore: z.nullable(z.number()),
  passed: z.nullable(z.boolean()),
});
export type CallScore = z.infer<typeof CallScore>;

/** The parts of a call that may contain patient data; stored sealed. `analysis`: the platform's, in the tenant's own fields. */
export const CallTexts = z.object({
  summary: z.optional(z.string()),
  transcript: z.optional(Transcript),
  callerNumber: z.optional(z.string()),
  calledNumber: z.optional(z.string()),
  forwardedTo: z.optional(z.string()),
  analysis: z.optional(z.record(z.string(), z.unknown())),
  scores: z.optional(z.array(CallScore)),
});
export type CallTexts = z.infer<typeof CallTexts>;

export const CallDetail = z.extend(ListedCall, {
  platformCallId: z.nullable(z.string()),
  endedAt: z.nullable(Instant),
  cost: z.nullable(z.object({ amount: z.number(), currency: z.nullable(z.string()) })),
  /** The platform's label. */
  sentiment: z.nullable(z.string()),
  /** Milliseconds between the caller's last word and the agent's first, as measured by the platform. */
  latency: z.nullable(z.object({ p50Ms: z.nullable(z.number()), p95Ms: z.nullable(z.number()) })),
  callerNumber: z.nullable(z.string()),
  calledNumber: z.nullable(z.string()),
  forwardedTo: z.nullable(z.string()),
  analysis: z.nullable(z.record(z.string(), z.unknown())),
  /** The platform's; empty if it made none. */
  scores: z.array(CallScore),
  /** The caller's own rating, on the platform's scale. */
  rating: z.nullable(z.number()),
  /** As the platform recognized it, such as "es". */
  language: z.nullable(z.string()),
  /** How the platform asked for consent to record; `grantedAt` is null if it was not granted. */
  recordingConsent: z.nullable(z.object({ type: z.nullable(z.string()), grantedAt: z.nullable(Instant) })),
  summary: z.nullable(z.string()),
  transcript: z.nullable(Transcript),
  /** When the retention policy removed the texts; null while they exist, or if there were none. */
  textsRemovedAt: z.nullable(Instant),
  /** Oldest first, at most 500. */
  toolRuns: z.array(ToolRun),
  followUp: z.nullable(z.object({ doneAt: Instant, doneBy: z.string(), note: z.nullable(z.string()) })),
});
export type CallDetail = z.infer<typeof CallDetail>;

/** resolved: as in the metrics. transferred: handed over to staff. unresolved: ended otherwise. */
export const CallOutcome = z.enum(["resolved", "transferred", "unresolved"]);
export type CallOutcome = z.infer<typeof CallOutcome>;

/** `abandoned` is kept beside the outcome: such a call is unresolved, or was lost while being put through. `ended`: with any outcome. */
export const FilteredOutcome = z.enum([...CallOutcome.options, "abandoned", "ended"]);
export type FilteredOutcome = z.infer<typeof FilteredOutcome>;

/** Any name, because calls may have used a tool that is no longer there. */
const FilteredTool = optionally(z.string().check(z.regex(/^\w{1,64}$/, "Must be the name of a tool")));

export const CallFilter = z.object({
  from,
  to,
  status: optionally(CallStatus),
  outcome: optionally(FilteredOutcome),
  intent: optionally(RoutingReason),
  /** A reason that the agent logged; `intent` is the last one, or what the tools show. */
  loggedReason: optionally(RoutingReason),
  result: optionally(CallResult),
  /** A tool that ran in the call. */
  tool: FilteredTool,
  /** A tool that failed in the call. */
  failedTool: FilteredTool,
  agentId: optionally(z.string().check(z.maxLength(200))),
  officeId: optionally(Id),
  forwarded: flag,
  needsFollowUp: flag,
  /** A run of a tool failed. */
  toolFailed: flag,
  isTest: flag,
  /** Matches ids, ended reason and outcome, never the transcript. */
  q: optionalLine(100),
});
export type CallFilter = z.output<typeof CallFilter>;

/** `csv`: RFC 4180 with a header. `complete: false`: the limit of one file was reached. */
export const CallExport = z.object({ fileName: z.string(), rows: z.number(), complete: z.boolean(), csv: z.string() });
export type CallExport = z.infer<typeof CallExport>;

export const CallId = z.string().check(z.regex(/^[0-9a-f]{40}$/));

export const tenantCalls = routes({
  listCalls: {
    method: "GET",
    path: "/api/tenant/calls",
    auth: "tenant_admin",
    summary: "The tenant's calls by these filters, newest first; a page may be short or empty, the next one is in Link",
    noStore: true,
    query: z.extend(CallFilter, PageQuery.shape).check(fromBeforeTo),
    response: z.array(ListedCall),
  },
  callsInProgress: {
    method: "GET",
    path: "/api/tenant/calls/in-progress",
    auth: "tenant_admin",
    summary: "Calls in progress, newest first, at most 100; a call without news for six hours (at OpenAI, two) is left out",
    activity: false,
    noStore: true,
    query: z.object({ officeId: optionally(Id) }),
    response: z.array(
      z.pick(ListedCall, { id: true, platform: true, createdAt: true, status: true, officeId: true, agentId: true, direction: true }),
    ),
  },
  exportCalls: {
    method: "GET",
    path: "/api/tenant/calls/export",
    auth: "tenant_admin",
    summary: "Export the filtered calls as CSV, newest first, at most 2,000; audited",
    noStore: true,
    query: CallFilter.check(fromBeforeTo),
    response: CallExport,
  },
  readCall: {
    method: "GET",
    path: "/api/tenant/calls/{callId}",
    auth: "tenant_admin",
    summary: "One call with its transcript and tool runs; audited",
    noStore: true,
    params: z.object({ callId: CallId }),
    response: CallDetail,
  },
  followUpCall: {
    method: "PUT",
    path: "/api/tenant/calls/{callId}/follow-up",
    auth: "tenant_admin",
    summary: "Mark a call as followed up, or as open",
    noStore: true,
    params: z.object({ callId: CallId }),
    body: z.strictObject({ done: z.boolean(), note: optionalLine(500) }),
    response: ListedCall,
  },
  listToolCalls: {
    method: "GET",
    path: "/api/tenant/tool-calls",
    auth: "tenant_admin",
    summary: "The tenant's tool runs, newest first, 100 a page",
    noStore: true,
    query: PageQuery,
    response: z.array(ToolRun),
  },
});
