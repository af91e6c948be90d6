import type { ErrorCode } from "@vitaline/core";
import { keys, type CallStateRow } from "@vitaline/store";
import { auditOf, type Outcome } from "./audit-run.ts";
import { limitTime } from "./deadline.ts";
import type { Tool, ToolAnswer, ToolCall, ToolContext } from "./define-tool.ts";
import { inTurn } from "./in-turn.ts";
import { parseArgs } from "./parse-args.ts";
import { requestKeyOf } from "./request-key.ts";
import { runWrite } from "./run-write.ts";
import { sentenceForFields } from "./sentences.ts";
import { tools } from "./tools.ts";
import { answerOf, codeOf, failure, isIdentified, openRun, type Work } from "./work.ts";

/**
 * Runs one tool call and says what came of it; never throws. One audit row per run, none for a repeated request that gets
 * its first answer, nor for what is refused before it is a run: an unknown tool, an inactive tenant, a call that has ended.
 */
export async function runTool(ctx: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
  if (!tool) return refused(ctx, call, "unknown_tool");
  const args = parseArgs(call.args);
  const filled = args === undefined ? { fields: { arguments: "is missing" } } : tool.fill(args);
  const work = () => runKnown(ctx, call, tool, filled, args);
  try {
    return await ("effect" in filled && filled.effect === "write" ? inTurn(`${ctx.tenantId}/${call.callKey}`, work) : work());
  } catch (error) {
    return refused(ctx, call, codeOf(ctx, call, error));
  }
}

async function runKnown(
  ctx: ToolContext,
  call: ToolCall,
  tool: Tool,
  filled: ReturnType<Tool["fill"]>,
  args: unknown,
): Promise<ToolAnswer> {
  const startedAtMs = ctx.clock().getTime();
  const time = limitTime(ctx.deadline);
  const requestKey = requestKeyOf(call, args);
  const writes = "effect" in filled && filled.effect === "write";
  const about = [keys.tenantConfig(), keys.callState(call.callKey)] as const;
  const [tenant, found, earlier] = writes
    ? await ctx.store.batchGet([...about, keys.idempotency(requestKey)])
    : await ctx.store.batchGet(about);
  const state: CallStateRow | undefined = found;
  if (!tenant?.isActive) return refused(ctx, call, "unavailable");
  if (state?.closedAt) return refused(ctx, call, "forbidden");
  const refuse = (code: ErrorCode) => ctx.store.commit([], auditOf(call, startedAtMs, ctx.clock().getTime(), undefined, { code }));
  if (!("effect" in filled)) {
    await refuse("invalid_arguments");
    return { ok: false, code: "invalid_arguments", speech: sentenceForFields(filled.fields) };
  }
  if (!isIdentified({ invocation: filled, state })) {
    await refuse("identity_required");
    return failure("identity_required");
  }
  const work: Work = { ctx, call, tool, invocation: filled, args, tenant, state, earlier, requestKey, time, startedAtMs };
  return writes ? runWrite(work) : runRead(work);
}

async function runRead(work: Work): Promise<ToolAnswer> {
  const { ctx, call, tool, invocation, time } = work;
  let audited = false;
  const audit = async (outcome: Outcome): Promise<void> => {
    audited = true;
    await ctx.store.commit([], auditOf(call, work.startedAtMs, ctx.clock().getTime(), invocation, outcome));
  };
  try {
    const run = await openRun(work, () => {});
    const ran = await time.within(invocation.run(run));
    if (!ran.repeated) {
      await audit(ran);
      await ran.afterAudit?.();
    }
    return answerOf(tool, work.tenant, ran);
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
