import {
  type Counts,
  countsOfRouting,
  countsOfToolRun,
  isFailedRun,
  isOnlyNames,
  isOver,
  outcomeSignalsOf,
  recordToolNames,
  recordToolUse,
  resultsOf,
  toolNamesOfCall,
  totalSortKey,
  type ToolUse,
} from "@vitaline/calls";
import { Call, Id, RoutingOutcome, RoutingReason } from "@vitaline/contract";
import { awaitAllThenThrow, dayIn } from "@vitaline/core";
import {
  type CallRow,
  expiresAfter,
  keys,
  put,
  type TenantContext,
  tenantRetention,
  tenantTimeZone,
  type ToolRunRow,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { inTenant } from "../../../lib/context/platform-context.ts";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";
import { type CountedTenant, platformIncrement, tenantIncrements } from "../stats/counter-increments.ts";
import type { Increment } from "../stats/increment-exactly-once.ts";

/** Without `run`: the recovery of a run that is in the timeline already. */
export type ToolRun = { tenantId: string; run?: Omit<ToolRunRow, "expiresAt">; toolUse: ToolUse };

/** The audit row of a tool run, or of the later recovery of its outcome. */
const ToolAudit = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.string(),
  success: z.boolean(),
  code: z.optional(z.string()),
  requestId: z.string(),
  callKey: z.optional(z.string()),
  resourceType: z.optional(z.string()),
  resourceId: z.optional(z.string()),
  detail: z.object({
    /** It becomes part of an attribute's name. */
    tool: z.string().check(z.regex(/^\w{1,64}$/)),
    ms: z.number(),
    platform: Call.shape.platform,
    booked: z.optional(z.boolean()),
    action: z.catch(z.optional(z.string()), undefined),
    /** The ids of a new and of a canceled appointment. */
    appointmentId: z.optional(z.unknown()),
    cancelledId: z.optional(z.unknown()),
    /** Both are set when the run logs how a call was routed. */
    reason: z.catch(z.optional(RoutingReason), undefined),
    outcome: z.catch(z.optional(RoutingOutcome), undefined),
    officeId: z.catch(z.optional(Id), undefined),
    fhirProviderId: z.catch(z.optional(Id), undefined),
  }),
});

/** Runs in the test console are audited and not projected otherwise. */
export const isTestRun = ({ detail }: Image): boolean => (detail as Image | undefined)?.["test"] === true;

/** Runs in a test call are in the call's timeline and in no total. */
export const isOfTestCall = ({ detail }: Image): boolean => (detail as Image | undefined)?.["testCall"] === true;

type ReadRun = { increments: Increment[]; toolRun?: ToolRun; failedAt?: string };

/** The run that an audit row records, its counts, and when it failed. Throws when a tool's audit row is malformed. */
export const readToolRun = (tenant: CountedTenant, image: Image): ReadRun => {
  const { tenantId, timeZone } = tenant;
  if (!String(image["action"]).startsWith("tool.") || isTestRun(image)) return { increments: [] };
  const { id, at, action, success, code, requestId, callKey, resourceType, resourceId, detail } = z.parse(ToolAudit, image);
  const {
    tool,
    ms,
    platform,
    officeId,
    fhirProviderId,
    booked = false,
    action: done,
    appointmentId,
    cancelledId,
    reason,
    outcome,
  } = detail;
  const patient = resourceType === "Patient" && resourceId !== undefined ? { id: resourceId, fhirProviderId } : undefined;
  const created = { booked, made: appointmentId !== undefined, canceled: cancelledId !== undefined };
  const results = resultsOf({ tool, success, code, action: done, outcome, ...created });
  // In an emergency the tool does not run, so it neither succeeds nor fails.
  const run: Counts = code === "emergency" ? {} : countsOfToolRun({ tool, success, booked });
  const { revenueEvents = 0 } = run;
  // A run with an unknown outcome was counted when it ended; its recovery adds only what it booked.
  const isRun = action === `tool.${tool}`;
  const routed = success && reason && outcome ? countsOfRouting({ reason, outcome }) : {};
  const counts = isRun ? { ...run, ...routed } : { revenueEvents };
  const day = dayIn(timeZone, new Date(at));
  const toolRunOf = (call: string): ToolRun | undefined => {
    const use: ToolUse = { callKey: call, platform, officeId, firstRunAt: at, tools: [tool], results };
    if (!isRun) return revenueEvents > 0 ? { tenantId, toolUse: use } : undefined;
    return {
      tenantId,
      run: { id, tool, at, ms, success, code, requestId, callKey: call, patient },
      toolUse: {
        ...use,
        failedTools: isFailedRun({ success, code }) ? [tool] : [],
        ...outcomeSignalsOf({ tool, success, outcome }),
        loggedReasons: success && reason ? [reason] : [],
      },
    };
  };
  return {
    increments: isOfTestCall(image)
      ? []
      : [...tenantIncrements(tenantId, day, officeId, counts), platformIncrement(totalSortKey, { revenueEvents })],
    failedAt: isRun && isFailedRun({ success, code }) && !isOfTestCall(image) ? at : undefined,
    toolRun: callKey === undefined ? undefined : toolRunOf(callKey),
  };
};

/** What this instance has written of calls, so that a tool's second run does not cost a write that changes nothing. */
const written = new Map<string, ToolUse>();
const maxWritten = 5000;
const isWritten = (
  known: ToolUse | undefined,
  { tools, failedTools = [], helped, soughtStaff, results = [], loggedReasons = [] }: ToolUse,
): boolean =>
  known !== undefined &&
  tools.every((tool) => known.tools.includes(tool)) &&
  failedTools.every((tool) => known.failedTools?.includes(tool)) &&
  !(helped && !known.helped) &&
  !(soughtStaff && !known.soughtStaff) &&
  results.every((result) => known.results?.includes(result)) &&
  loggedReasons.every((reason) => known.loggedReasons?.includes(reason)) &&
  (loggedReasons.length === 0 || loggedReasons.at(-1) === known.loggedReasons?.at(-1));

/**
 * Writes the runs into their calls' timelines and what they tell onto the calls, which it creates if needed. Repeatable. One write per run
 * and one per call with news. A run that tells nothing but its tool's name, as one that verified the caller, waits while its call is in
 * progress: for the next news, or for `projectEndedCalls`. None is lost: its row is written before the call is read, so an end that is
 * not seen here comes later, and then finds that row.
 */
export async function projectToolRuns(ctx: PlatformContext, toolRuns: readonly ToolRun[]): Promise<void> {
  for (const { tenantId, run } of toolRuns) {
    if (!run) continue;
    const { calls } = await tenantRetention(inTenant(ctx, tenantId));
    const row = { ...run, expiresAt: expiresAfter(run.at, calls) };
    await ctx.platform.inTenant(tenantId).writeUnaudited(put(keys.toolRun(run.callKey, run.id), row));
  }
  for (const { tenantId, call } of groupByCall(toolRuns)) {
    const name = `${tenantId}|${call.callKey}`;
    const known = written.get(name);
    if (isWritten(known, call)) continue;
    const tenant = inTenant(ctx, tenantId);
    if (isOnlyNames(call) && (await isInProgress(tenant, call.callKey))) continue;
    const [retention, timeZone] = [await tenantRetention(tenant), await tenantTimeZone(tenant)];
    const tools = known ? call.tools : [...new Set([...call.tools, ...(await toolNamesOfCall(tenant, call.callKey))])];
    await tenant.store.writeUnaudited(recordToolUse({ tenantId, timeZone }, { ...call, tools }, retention));
    if (written.size >= maxWritten) written.clear();
    written.set(name, known ? bothOf(known, call) : { ...call, tools });
  }
}

const isInProgress = async ({ store }: TenantContext, callKey: string): Promise<boolean> => {
  const row = await store.get<CallRow>(keys.call(callKey));
  return row !== undefined && !isOver(row);
};

/** A call whose end was recorded, with the tools on its row. */
export type EndedCall = { tenantId: string; callKey: string; toolsUsed: ReadonlySet<string> };

const Ended = z.object({ callKey: z.string(), endSeenAt: z.string(), toolsUsed: z.optional(z.set(z.string())) });

/** undefined: the change is no end. No name waits for a call that is first heard of at its end. */
export function readEndedCall(tenantId: string, before: Image | undefined, after: Image): EndedCall | undefined {
  if (!before || before["endSeenAt"] !== undefined) return undefined;
  const { data } = z.safeParse(Ended, after);
  return data && { tenantId, callKey: data.callKey, toolsUsed: data.toolsUsed ?? new Set() };
}

/** Writes the names that still waited when their calls ended. Repeatable. One Query per call, all at once, and a write for one with such names. */
export async function projectEndedCalls(ctx: PlatformContext, ended: readonly EndedCall[]): Promise<void> {
  await awaitAllThenThrow(ended.map((call) => writeMissingNames(ctx, call)));
}

const writeMissingNames = async (ctx: PlatformContext, { tenantId, callKey, toolsUsed }: EndedCall): Promise<void> => {
  const tenant = inTenant(ctx, tenantId);
  const missing = (await toolNamesOfCall(tenant, callKey)).filter((tool) => !toolsUsed.has(tool));
  if (missing.length > 0) await tenant.store.writeUnaudited(recordToolNames(callKey, missing));
};

const groupByCall = (toolRuns: readonly ToolRun[]): { tenantId: string; call: ToolUse }[] => {
  const calls = new Map<string, { tenantId: string; call: ToolUse }>();
  for (const { tenantId, toolUse: call } of toolRuns) {
    const name = `${tenantId}|${call.callKey}`;
    const known = calls.get(name)?.call;
    calls.set(name, { tenantId, call: known ? bothOf(known, call) : call });
  }
  return [...calls.values()];
};

const bothOf = (known: ToolUse, { tools, failedTools = [], helped, soughtStaff, results = [], loggedReasons = [] }: ToolUse): ToolUse => ({
  ...known,
  tools: [...new Set([...known.tools, ...tools])],
  failedTools: [...new Set([...(known.failedTools ?? []), ...failedTools])],
  helped: known.helped || helped,
  soughtStaff: known.soughtStaff || soughtStaff,
  results: [...new Set([...(known.results ?? []), ...results])],
  loggedReasons: [...(known.loggedReasons ?? []).filter((reason) => !loggedReasons.includes(reason)), ...loggedReasons],
});
