import type { ErrorCode } from "@vitaline/core";
import { timeZoneOf } from "@vitaline/offices";
import { cacheRetention } from "@vitaline/store";
import { auditEntry, type Outcome } from "./run/audit.ts";
import { startTimeLimit } from "./run/deadline.ts";
import type { RunResult } from "../sdk/run.ts";
import type { Tool } from "../sdk/define-tool.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../sdk/context.ts";
import { parseArguments } from "../sdk/arguments.ts";
import { taskWrites } from "./run/tasks.ts";
import { loadCall } from "./load-call.ts";
import { emergencyLineFor } from "../speech/red-flags.ts";
import type { Binding } from "../patient/binding.ts";
import { requestKeyOf } from "./idempotency/request-key.ts";
import { runWrite } from "./idempotency/run-write.ts";
import { sentenceForOneMore } from "../speech/sentences.ts";
import { tools } from "../tools.ts";
import { answerOf, errorCodeOf, failure, isIdentified, openRun, type RunContext, wrongFields } from "./run/run-context.ts";
import { serialize } from "./serialize.ts";

/**
 * Runs one tool call; never throws. One audit row per run; none for a retry that gets its first answer, an unknown tool, an inactive
 * tenant or an ended call.
 */
export async function runTool(ctx: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  const alert = emergencyLineFor(call.args);
  const first = (answer: ToolAnswer, line = alert): ToolAnswer => (line ? { ...answer, speech: `${line} ${answer.speech}` } : answer);
  const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
  if (!tool) return first(refused(ctx, call, "unknown_tool"));
  const args = parseArguments(call.args);
  const filled = args === undefined ? { fields: { arguments: "is missing" } } : tool.fill(args);
  const work = () => runParsed(ctx, call, tool, filled, args);
  const answer = await (
    "effect" in filled && filled.effect === "write" ? serialize(`${ctx.tenantId}/${call.callKey}`, work) : work()
  ).catch((error: unknown) => refused(ctx, call, errorCodeOf(ctx, call, error)));
  return first(answer, alert ?? ("effect" in filled ? filled.alert : undefined));
}

async function runParsed(
  ctx: ToolContext,
  asked: ToolCall,
  tool: Tool,
  filled: ReturnType<Tool["fill"]>,
  args: unknown,
): Promise<ToolAnswer> {
  const startedAtMs = ctx.clock().getTime();
  const time = startTimeLimit(ctx.deadline, ctx.timeLimits);
  const writes = "effect" in filled && filled.effect === "write";
  // A request about no patient stays the same when the caller is verified in between.
  const isOfPatient = "effect" in filled && filled.level > 0;
  const keyFor = (bound: Binding | undefined) => requestKeyOf(asked, args, isOfPatient ? bound : undefined);
  const { tenant, office, state, earlier, call, isSwitchedOff } = await loadCall(ctx, asked, {
    keyFor: writes ? keyFor : () => undefined,
    scopes: tool.scopes,
  });
  if (!tenant?.isActive) return refused(ctx, call, "tenant_inactive");
  cacheRetention(ctx.tenantId, tenant, startedAtMs);
  if (state?.closedAt) return refused(ctx, call, "forbidden");
  if (isSwitchedOff) return refused(ctx, call, "agent_inactive");
  const refuse = (code: ErrorCode) => ctx.store.commit([], auditEntry(call, startedAtMs, ctx.clock().getTime(), undefined, { code }));
  if (!("effect" in filled)) {
    await refuse("invalid_arguments");
    return wrongFields(filled.fields);
  }
  if (!isIdentified({ tool, invocation: filled, tenant, state })) {
    await refuse("identity_required");
    const isKnown = state?.patientId !== undefined && state.level > 0;
    return { ...failure("identity_required"), ...(isKnown ? { speech: sentenceForOneMore(state.factors ?? []) } : {}) };
  }
  const timeZone = timeZoneOf(tenant, office);
  const work: RunContext = {
    ctx,
    call,
    tool,
    invocation: filled,
    tenant,
    timeZone,
    state,
    earlier,
    requestKey: keyFor(state),
    time,
    startedAtMs,
  };
  return writes ? runWrite(work) : runRead(work);
}

async function runRead(work: RunContext): Promise<ToolAnswer> {
  const { ctx, call, invocation, time } = work;
  let audited = false;
  let providerId: string | undefined;
  const audit = async (outcome: Outcome & Pick<RunResult<unknown>, "task">): Promise<void> => {
    audited = true;
    const { writes, detail } = await taskWrites(work, providerId, outcome);
    const told = { ...outcome, providerId, detail: { ...outcome.detail, ...detail } };
    await ctx.store.commit(writes, auditEntry(call, work.startedAtMs, ctx.clock().getTime(), invocation, told));
  };
  try {
    const run = await openRun(work, () => {});
    providerId = run.providerId;
    const ran = await time.within(invocation.run(run));
    if (!ran.isReplay) {
      await audit(ran);
      await ran.afterAudit?.();
    }
    return answerOf(work, ran);
  } catch (error) {
    const code = errorCodeOf(ctx, call, error);
    if (!audited) await audit({ code });
    return failure(code, error);
  }
}

const refused = (ctx: ToolContext, call: ToolCall, code: ErrorCode): ToolAnswer => {
  ctx.log("warn", "tool.refused", { code, platform: call.platform, callKey: call.callKey });
  return failure(code);
};

/** The minimum to ask an EHR and still answer in time. */
const minToolMs = 2000;

/**
 * Runs the tool calls of one request in order, since one may depend on another; one answer each. A call without enough time left gets
 * `deadline_exceeded` and no audit row. Never throws.
 */
export async function runTools(ctx: ToolContext, calls: readonly ToolCall[]): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (const call of calls) answers.push(await (ctx.deadline.remainingMs() < minToolMs ? notStarted(ctx, call) : runTool(ctx, call)));
  return answers;
}

const notStarted = (ctx: ToolContext, { platform, callKey }: ToolCall): ToolAnswer => {
  ctx.log("warn", "tool.not_begun", { code: "deadline_exceeded", platform, callKey });
  return failure("deadline_exceeded");
};
