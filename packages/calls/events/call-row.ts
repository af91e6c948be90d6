import type { Call, CallResult, CallStatus, Retention, RoutingReason } from "@vitaline/contract";
import { dayIn, dayMs } from "@vitaline/core";
import { type CallRow, expiresAfter, keys, update, type Write } from "@vitaline/store";
import type { ParsedCallEvent } from "./call-event.ts";

/** Progress of a call. A row's rank never decreases, so late or repeated events cannot set a call back. */
const rankOfStatus: Readonly<Record<CallStatus, number>> = {
  queued: 1,
  ringing: 2,
  in_progress: 3,
  completed: 4,
  no_answer: 4,
  failed: 4,
  cancelled: 4,
  unknown: 4,
};
const noStatusRank = 0;
/** No event has arrived for hours. Any reported end replaces it. */
const presumedEndedRank = 3.5;
const endedRank = 4;
/** The platform's final report, with its evaluation or texts. */
const reportedRank = 5;

export const inProgressRank = rankOfStatus.in_progress;

export const hasEnded = (rank: number): boolean => rank >= endedRank;

export const hasReport = (rank: number): boolean => rank >= reportedRank;

type RankFields = Pick<ParsedCallEvent, "status" | "endedReason" | "success" | "summary" | "transcript">;

/** 0 for an event without a status, which only fills missing fields. */
export function rankOf({ status, endedReason, success, summary, transcript }: RankFields): number {
  if (status === undefined) return noStatusRank;
  // A report without an ended reason only assumes that the call completed.
  const isReport = endedReason !== undefined && (success !== undefined || summary !== undefined || transcript !== undefined);
  return hasEnded(rankOfStatus[status]) && isReport ? reportedRank : rankOfStatus[status];
}

/** The shortest retention period. An earlier start is a platform error, or the call predates the connection. */
const oldestStartMs = 30 * dayMs;

/**
 * The call's position in the list of calls, and its day in the totals. The first event sets them and they never change, so that paging
 * neither skips nor repeats a call. A start that the platform reports later is stored as `platformStartedAt`.
 */
export const listPosition = (
  { tenantId, timeZone }: { tenantId: string; timeZone: string },
  callKey: string,
  startedAt: string,
): Pick<CallRow, "callKey" | "startedAt" | "day" | "gsi1pk" | "gsi1sk"> => ({
  callKey,
  startedAt,
  day: dayIn(timeZone, new Date(startedAt)),
  gsi1pk: keys.tenantPartitions.calls(tenantId),
  gsi1sk: `${startedAt}#${callKey}`,
});

/** When the call and its content expire, in seconds since 1970. */
export const retentionEnds = (
  { startedAt, keptFrom = startedAt }: Pick<CallRow, "startedAt" | "keptFrom">,
  { calls, transcripts }: Pick<Retention, "calls" | "transcripts">,
) => ({
  expiresAt: expiresAfter(keptFrom, calls),
  textsUntil: expiresAfter(keptFrom, Math.min(calls, transcripts)),
});

/** Expiry for a call's first event. Later events do not change it, even if they report another start. */
export function initialRetentionEnds(
  startedAt: string,
  now: Date,
  retention: Retention,
): Required<Pick<CallRow, "expiresAt" | "textsUntil" | "keptFrom">> {
  const isPlausible = now.getTime() - Date.parse(startedAt) < oldestStartMs;
  const keptFrom = isPlausible ? startedAt : now.toISOString();
  return { keptFrom, ...retentionEnds({ startedAt, keptFrom }, retention) };
}

/** Undefined while the call's content is still within its retention period. */
export const contentExpiredAt = ({ textsUntil }: Pick<CallRow, "textsUntil">, now: Date): string | undefined =>
  textsUntil !== undefined && textsUntil * 1000 <= now.getTime() ? new Date(textsUntil * 1000).toISOString() : undefined;

export type ToolUse = {
  callKey: string;
  platform: Call["platform"];
  officeId?: string;
  firstRunAt: string;
  tools: string[];
  failedTools?: string[];
  helped?: boolean;
  soughtStaff?: boolean;
  results?: CallResult[];
  /** As the agent logged them, the last one at the end. */
  loggedReasons?: RoutingReason[];
};

/** Creates the row of a call in progress if it is missing, and adds the tools it used and what they achieved. Idempotent; erased calls are not changed. */
export const recordToolUse = (
  tenant: { tenantId: string; timeZone: string },
  { callKey, platform, officeId, firstRunAt, tools, failedTools = [], helped, soughtStaff, results = [], loggedReasons = [] }: ToolUse,
  retention: Retention,
): Write =>
  update(
    keys.call(callKey),
    {
      setOnce: {
        ...listPosition(tenant, callKey, firstRunAt),
        ...retentionEnds({ startedAt: firstRunAt }, retention),
        keptFrom: firstRunAt,
        platform,
        officeId,
        rank: inProgressRank,
        status: "in_progress",
        forwarded: false,
        hasSignals: true,
        ...(failedTools.length > 0 ? {} : { toolFailed: false }),
      },
      set: {
        toolFailed: failedTools.length > 0 || undefined,
        helped: helped || undefined,
        soughtStaff: soughtStaff || undefined,
        intent: loggedReasons.at(-1),
      },
      add: {
        toolsUsed: new Set(tools),
        ...(failedTools.length > 0 ? { failedTools: new Set(failedTools) } : {}),
        ...(results.length > 0 ? { results: new Set(results) } : {}),
        ...(loggedReasons.length > 0 ? { loggedReasons: new Set(loggedReasons) } : {}),
      },
    },
    { absent: ["erasedAt"] },
  );

/** Whether runs tell of a call no more than which tools it used: not why the patient called, what came of it, or what failed. */
export const isOnlyNames = ({ failedTools = [], helped, soughtStaff, results = [], loggedReasons = [] }: ToolUse): boolean =>
  !helped && !soughtStaff && [failedTools, results, loggedReasons].every(({ length }) => length === 0);

/** Adds the names of tools to the row of a call; an erased or deleted one is not changed. */
export const recordToolNames = (callKey: string, tools: readonly string[]): Write =>
  update(
    keys.call(callKey),
    { add: { toolsUsed: new Set(tools) }, setOnce: { toolFailed: false } },
    { exists: true, absent: ["erasedAt"] },
  );

/** Ends a call without a reported end as `unknown` and counts it. A call that has ended is not changed; a late report replaces this. */
export const expireStaleCall = (callKey: string, now: Date): Write =>
  update(
    keys.call(callKey),
    { set: { rank: presumedEndedRank, status: "unknown" }, setOnce: { endSeenAt: now.toISOString() } },
    { exists: true, lessThanOrAbsent: { rank: presumedEndedRank } },
  );
