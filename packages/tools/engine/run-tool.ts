import type { ErrorCode } from "@vitaline/core";
import { zoneOf } from "@vitaline/offices";
import { knowRetention } from "@vitaline/store";
import { auditOf, type Outcome } from "./run/audit.ts";
import { limitTime } from "./run/deadline.ts";
import type { Ran } from "../sdk/run.ts";
import type { Tool } from "../sdk/define-tool.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../sdk/context.ts";
import { parseArgs } from "../sdk/arguments.ts";
import { promised } from "./run/tasks.ts";
import { readAbout } from "./load-call.ts";
import { emergencyIn } from "../speech/red-flags.ts";
import type { Bound } from "../patient/binding.ts";
import { requestKeyOf } from "./idempotency/request-key.ts";
import { runWrite } from "./idempotency/run-write.ts";
import { sentenceForOneMore } from "../speech/sentences.ts";
import { tools } from "../tools.ts";
import { answerOf, codeOf, failure, isIdentified, openRun, type Work, wrongFields } from "./run/run-context.ts";
import { inTurn } from "./serialize.ts";

/**
 * Runs one tool call and says what came of it; never throws. One audit row per run, none for a repeated request that gets
 * its first answer, nor for what is refused before it is a run: an unknown tool, an inactive tenant, a call that has ended.
 */
export async function runTool(ctx: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  const alert = emergencyIn(call.args);
  const first = (answer: ToolAnswer, line = alert): ToolAnswer => (line ? { ...answer, speech: `${line} ${answer.speech}` } : answer);
  const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
  if (!tool) return first(refused(ctx, call, "unknown_tool"));
  const args = parseArgs(call.args);
  const filled = args === undefined ? { fields: { arguments: "is missing" } } : tool.fill(args);
  const work = () => runKnown(ctx, call, tool, filled, args);
  const answer = await ("effect" in filled && filled.effect === "write" ? inTurn(`${ctx.tenantId}/${call.callKey}`, work) : work()).catch(
    (error: unknown) => refused(ctx, call, codeOf(ctx, call, error)),
  );
  return first(answer, alert ?? ("effect" in filled ? filled.alert : undefined));
}

async function runKnown(
  ctx: ToolContext,
  asked: ToolCall,
  tool: Tool,
  filled: ReturnType<Tool["fill"]>,
  args: unknown,
): Promise<ToolAnswer> {
  const startedAtMs = ctx.clock().getTime();
  const time = limitTime(ctx.deadline, ctx.patience);
  const writes = "effect" in filled && filled.effect === "write";
  // What is asked of nobody in particular stays the same request when the caller is verified meanwhile.
  const isOfPatient = "effect" in filled && filled.level > 0;
  const keyFor = (bound: Bound | undefined) => requestKeyOf(asked, args, isOfPatient ? bound : undefined);
  const { tenant, office, state, earlier, call, isSwitchedOff } = await readAbout(ctx, asked, {
    keyFor: writes ? keyFor : () => undefined,
    scopes: tool.scopes,
  });
  if (!tenant?.isActive) return refused(ctx, call, "tenant_inactive");
  knowRetention(ctx.tenantId, tenant, startedAtMs);
  if (state?.closedAt) return refused(ctx, call, "forbidden");
  if (isSwitchedOff) return refused(ctx, call, "agent_inactive");
  const refuse = (code: ErrorCode) => ctx.store.commit([], auditOf(call, startedAtMs, ctx.clock().getTime(), undefined, { code }));
  if (!("effect" in filled)) {
    await refuse("invalid_arguments");
    return wrongFields(filled.fields);
  }
  if (!isIdentified({ tool, invocation: filled, tenant, state })) {
    await refuse("identity_required");
    const isKnown = state?.patientId !== undefined && state.level > 0;
    return { ...failure("identity_required"), ...(isKnown ? { speech: sentenceForOneMore(state.factors ?? []) } : {}) };
  }
  const timeZone = zoneOf(tenant, office);
  const work: Work = {
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

async function runRead(work: Work): Promise<ToolAnswer> {
  const { ctx, call, invocation, time } = work;
  let audited = false;
  let providerId: string | undefined;
  const audit = async (outcome: Outcome & Pick<Ran<unknown>, "promise">): Promise<void> => {
    audited = true;
    const { writes, detail } = await promised(work, providerId, outcome);
    const told = { ...outcome, providerId, detail: { ...outcome.detail, ...detail } };
    await ctx.store.commit(writes, auditOf(call, work.startedAtMs, ctx.clock().getTime(), invocation, told));
  };
  try {
    const run = await openRun(work, () => {});
    providerId = run.providerId;
    const ran = await time.within(invocation.run(run));
    if (!ran.repeated) {
      await audit(ran);
      await ran.afterAudit?.();
    }
    return answerOf(work, ran);
  } catch (error) {
    const code = codeOf(ctx, call, error);
    if (!audited) await audit({ code });
    return failure(code, error);
  }
}

const refused = (ctx: ToolContext, call: ToolCall, code: ErrorCode): ToolAnswer => {
  ctx.log("warn", "tool.refused", { code, platform: call.platform, callKey: call.callKey });
  return failure(code);
};

/** With less time than this a tool could hardly ask an EHR, and the answers of those before it must still leave. */
const leastToolMs = 2000;

/**
 * The tool calls of one request, one after the other, as a booking may stand behind the identity check that it needs; one answer
 * each, in their order. For which no time is left is not begun: `deadline_exceeded`, and no audit row. Never throws.
 */
export async function runTools(ctx: ToolContext, calls: readonly ToolCall[]): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (const call of calls) answers.push(await (ctx.deadline.remainingMs() < leastToolMs ? notBegun(ctx, call) : runTool(ctx, call)));
  return answers;
}

const notBegun = (ctx: ToolContext, { platform, callKey }: ToolCall): ToolAnswer => {
  ctx.log("warn", "tool.not_begun", { code: "deadline_exceeded", platform, callKey });
  return failure("deadline_exceeded");
};
