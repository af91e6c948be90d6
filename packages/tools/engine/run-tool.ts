import type { ErrorCode } from "@vitaline/core";
import { hoursOf } from "@vitaline/offices";
import { cacheRetentionAndZone, type TenantRow } from "@vitaline/store";
import { emergencyInArguments, lineOf } from "../emergency/find-emergency.ts";
import { type CallPatient, isInScope, maxTriesPerCall } from "../patient/call-patient.ts";
import type { CheckedRequest, ParsedArguments, Tool } from "../sdk/define-tool.ts";
import { parseArguments } from "../sdk/arguments.ts";
import type { RunResult, ToolAnswer, ToolCall, ToolContext } from "../sdk/run.ts";
import { standardPhrasing } from "../speech/phrasing.ts";
import { errorSentence, sentenceForOneMore } from "../speech/sentences.ts";
import { isTool, loadTool } from "../tools.ts";
import { answerEmergency } from "./answer-emergency.ts";
import { requestKeyOf } from "./idempotency/request-row.ts";
import { runWrite } from "./idempotency/run-write.ts";
import { runSequentially } from "./run-sequentially.ts";
import { callLanguage, keepNamedLanguage, loadCall, type LoadedCall, requestLanguage } from "./load-call.ts";
import { actsForOf, auditEntry, type Outcome, taskWrites } from "./run/audit.ts";
import {
  answerOf,
  errorCodeOf,
  failure,
  isIdentified,
  openRun,
  type PreparedRun,
  refusal,
  sayToCallerOf,
  startTimeLimit,
  wrongFields,
} from "./run/run-context.ts";
import { countRun } from "./run/tenant-limit.ts";

/**
 * Runs one tool call; never throws. Arguments that tell of an emergency are answered by its line alone. One audit row per run; none for a
 * retry that gets its first answer, and none for what is refused before it starts: an unknown tool, an inactive tenant, an ended call, an
 * agent that is switched off, a tenant over its limit, a call that could not be loaded.
 */
export async function runTool(ctx: ToolContext, call: ToolCall, emergency = emergencyInArguments(call.args)): Promise<ToolAnswer> {
  return emergency
    ? answerEmergency(ctx, call, emergency, (emergencyCtx) => runWithoutEmergencyCheck(emergencyCtx, call))
    : runWithoutEmergencyCheck(ctx, call);
}

async function runWithoutEmergencyCheck(ctx: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  const startedAtMs = performance.now();
  let isTest = call.isTest === true;
  const noteTest = (loadedCall: ToolCall) => (isTest ||= loadedCall.isTest === true);
  const answer = await answerToolCall(ctx, call, noteTest);
  const tool = isTool(call.name) ? call.name : "unknown";
  // A test says nothing about callers.
  if (!isTest) ctx.log("info", "tool.answered", { tool, ...outcomeFields(answer), ms: Math.round(performance.now() - startedAtMs) });
  return answer;
}

/** Failures that are not the caller's: a record system or AWS does not answer, or not as it should. */
const failures: readonly (ErrorCode | undefined)[] = [
  "unavailable",
  "deadline_exceeded",
  "outbound_refused",
  "outbound_timeout",
  "outbound_unreachable",
  "outbound_too_large",
  "outbound_redirect",
  "ehr_unavailable",
  "ehr_timeout",
  "ehr_auth",
  "ehr_forbidden",
  "ehr_invalid",
  "ehr_unknown_outcome",
  "message_failed",
];

const outcomeFields = ({ ok, code }: ToolAnswer): { outcome: "ok" | "refused" | "failed"; failed: 0 | 1 } => {
  if (failures.includes(code)) return { outcome: "failed", failed: 1 };
  return { outcome: ok ? "ok" : "refused", failed: 0 };
};

type OnLoaded = (call: ToolCall) => void;

async function answerToolCall(ctx: ToolContext, call: ToolCall, onLoaded: OnLoaded): Promise<ToolAnswer> {
  const tool = await loadTool(call.name);
  if (!tool) return refuseUnaudited(ctx, call, "unknown_tool");
  const given = parseArguments(call.args);
  // The same request in another language is a retry.
  const { language: saidLanguage, ...args } = given ?? {};
  const parsed: ParsedArguments = given === undefined ? { invalidFields: { arguments: "is missing" } } : tool.parse(args);
  const answer = () => loadAndAnswer(ctx, call, { tool, parsed, args, saidLanguage, onLoaded });
  const isWrite = parsed.request?.effect === "write";
  return (isWrite ? runSequentially(`${ctx.tenantId}/${call.callKey}`, answer) : answer()).catch((error: unknown) =>
    refuseUnaudited(ctx, call, errorCodeOf(ctx, call, error)),
  );
}

/** `args`: as given, without the language. */
type GivenRequest = { tool: Tool; parsed: ParsedArguments; args: unknown; saidLanguage: unknown; onLoaded: OnLoaded };

async function loadAndAnswer(ctx: ToolContext, received: ToolCall, asked: GivenRequest): Promise<ToolAnswer> {
  const { tool, parsed, args, saidLanguage, onLoaded } = asked;
  const startedAtMs = ctx.clock().getTime();
  const time = startTimeLimit(ctx.deadline, ctx.timeLimits);
  const isWrite = parsed.request?.effect === "write";
  // A request about no patient stays the same when the caller is verified in between.
  const isAboutPatient = (parsed.request?.level ?? 0) > 0;
  const requestKeyFor = (patient: CallPatient | undefined) => requestKeyOf(received, args, isAboutPatient ? patient : undefined);
  const loaded = await loadCall(ctx, received, { requestKeyFor: isWrite ? requestKeyFor : () => undefined, scopes: tool.scopes });
  const { tenant, office, state, requestRow, call } = loaded;
  onLoaded(call);
  if (!tenant?.isActive) return refuseUnaudited(ctx, call, "tenant_inactive");
  cacheRetentionAndZone(ctx.tenantId, tenant, startedAtMs);
  const refused = await refusedBeforeStart(ctx, tool, tenant, loaded);
  if (refused) return refuseUnaudited(ctx, call, refused);
  const { language, namedLanguage } = callLanguage({ argument: saidLanguage, call, state, tenant, office });
  // A tool that creates the call's state stores the language with it, in one write.
  const byTool = parsed.request !== undefined && tool.savesLanguageWithState && state === undefined;
  const languageKeeping = await keepNamedLanguage(ctx, call, { state, named: namedLanguage, byTool });
  const context: UncheckedRun = {
    ctx,
    call,
    tool,
    tenant,
    hours: hoursOf(tenant, office),
    sayToCaller: sayToCallerOf({ ctx, call, tenant, office }, language),
    language,
    namedLanguage,
    state,
    requestRow,
    requestKey: requestKeyFor(state),
    time,
    startedAtMs,
    markLanguageStored: languageKeeping.markStored,
  };
  return answerParsed(context, parsed).finally(languageKeeping.end);
}

async function refusedBeforeStart(
  ctx: ToolContext,
  tool: Tool,
  tenant: TenantRow,
  { state, isSwitchedOff, runCounts }: LoadedCall,
): Promise<ErrorCode | undefined> {
  if (state?.callEndedAt) return "forbidden";
  if (isSwitchedOff) return "agent_inactive";
  const waitSeconds = await countRun(ctx, tenant, runCounts);
  // A caller always reaches people.
  if (waitSeconds === undefined || tool.runsInEmergency) return undefined;
  ctx.log("warn", "tool.limited", { tenantId: ctx.tenantId, delayMs: waitSeconds * 1000, count: 1 });
  return "too_many_requests";
}

/** A run whose arguments may be invalid. */
type UncheckedRun = Omit<PreparedRun, "request">;

async function answerParsed(context: UncheckedRun, { request, invalidFields }: ParsedArguments): Promise<ToolAnswer> {
  const { ctx, call, tool, tenant, state, sayToCaller, startedAtMs } = context;
  const auditRefusal = (outcome: Outcome, audited?: CheckedRequest) =>
    ctx.store.commit([], auditEntry(call, startedAtMs, ctx.clock().getTime(), audited, outcome));
  if (!request) {
    await auditRefusal({ code: "invalid_arguments" });
    return wrongFields(context, invalidFields);
  }
  if (!isIdentified({ tool, request, tenant, state })) {
    const isKnown = state?.patientId !== undefined && state.level > 0;
    const isOutOfTries = (state?.tries ?? 0) >= maxTriesPerCall;
    const code = !isKnown && isOutOfTries ? "identity_locked" : "identity_required";
    await auditRefusal({ code });
    if (!isKnown) return refusal(code, context);
    const { factors = [] } = state;
    return { ok: false, code, speech: await sayToCaller((phrasing) => sentenceForOneMore({ factors, isOutOfTries }, phrasing)) };
  }
  if (request.level > 0 && !isInScope(state?.actsFor, request.matter)) {
    const { providerId, patientId, actsFor } = state ?? {};
    await auditRefusal({ code: "proxy_not_allowed", providerId, patientId, actsFor }, request);
    return refusal("proxy_not_allowed", context);
  }
  const prepared: PreparedRun = { ...context, request };
  return request.effect === "write" ? runWrite(prepared) : runRead(prepared);
}

async function runRead(context: PreparedRun): Promise<ToolAnswer> {
  const { ctx, call, request, time } = context;
  let audited = false;
  let providerId: string | undefined;
  let ran: RunResult<unknown> | undefined;
  const audit = async (outcome: Outcome & Pick<RunResult<unknown>, "task">): Promise<void> => {
    audited = true;
    const { writes, detail } = await taskWrites(context, providerId, outcome);
    const recorded = { ...outcome, providerId, actsFor: outcome.actsFor ?? actsForOf(context), detail: { ...outcome.detail, ...detail } };
    await ctx.store.commit(writes, auditEntry(call, context.startedAtMs, ctx.clock().getTime(), request, recorded));
  };
  try {
    const run = await openRun(context);
    providerId = run.providerId;
    ran = await time.within(request.run(run));
    if (!ran.isReplay) {
      await audit(ran);
      await ran.afterAudit?.();
    }
    return await answerOf(context, ran);
  } catch (error) {
    const code = errorCodeOf(ctx, call, error);
    await ran?.afterFailure?.();
    if (!audited) await audit({ code });
    return failure(context, code, error);
  }
}

const refusalBeforeRun = (code: ErrorCode, call: ToolCall): ToolAnswer => ({
  ok: false,
  code,
  speech: errorSentence(code, standardPhrasing(requestLanguage(call))),
});

const refuseUnaudited = (ctx: ToolContext, call: ToolCall, code: ErrorCode): ToolAnswer => {
  ctx.log("warn", "tool.refused", { code, platform: call.platform, callKey: call.callKey });
  return refusalBeforeRun(code, call);
};

/** The minimum to ask an EHR and still answer in time. */
const minToolMs = 2000;

/**
 * Runs the tool calls of one request in order, since one may depend on another; one answer each. A call without enough time left gets
 * `deadline_exceeded` and no audit row. When one tells of an emergency, the others are not started and get its line too. Never throws.
 */
export async function runTools(ctx: ToolContext, calls: readonly ToolCall[]): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  const emergencies = calls.map(({ args }) => emergencyInArguments(args));
  const emergency = emergencies.find((one) => one !== undefined);
  for (const [at, call] of calls.entries())
    if (emergency) answers.push(emergencies[at] ? await runTool(ctx, call, emergencies[at]) : { ok: true, speech: lineOf(emergency) });
    else answers.push(await (ctx.deadline.remainingMs() < minToolMs ? notStarted(ctx, call) : runWithoutEmergencyCheck(ctx, call)));
  return answers;
}

const notStarted = (ctx: ToolContext, call: ToolCall): ToolAnswer => {
  ctx.log("warn", "tool.not_begun", { code: "deadline_exceeded", platform: call.platform, callKey: call.callKey });
  return refusalBeforeRun("deadline_exceeded", call);
};
