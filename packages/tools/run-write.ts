import { errorFields, isAppError, type ErrorCode } from "@vitaline/core";
import { keys, put, remove, type Condition, type Write, type IdempotencyRow } from "@vitaline/store";
import { auditOf, type Outcome } from "./audit-run.ts";
import { dueWork, keptSeconds } from "./due-work.ts";
import type { Intent, Ran, Run, ToolAnswer } from "./define-tool.ts";
import { sealAnswer, sealIntent, unsealAnswer, unsealIntent } from "./first-answer.ts";
import { argsDigestOf } from "./request-key.ts";
import { answerOf, codeOf, failure, openRun, type Work } from "./work.ts";

/** A run that began longer ago than this has died on the way: no deadline is that long. */
const abandonedAfterMs = 30_000;

/** Runs a tool that changes something: at most once per request, and with its first answer for every repetition. */
export async function runWrite(work: Work): Promise<ToolAnswer> {
  const { ctx, call, tool, invocation, requestKey, state, tenant, time } = work;
  const argsDigest = argsDigestOf(work.args, state?.patientId);
  const key = keys.idempotency(requestKey);
  const nowMs = ctx.clock().getTime();
  const earlier = work.earlier?.argsDigest === argsDigest ? work.earlier : undefined;
  if (earlier?.status === "done") return replay(work, earlier);
  if (earlier?.status === "started" && nowMs - earlier.startedAtMs < abandonedAfterMs) return failure("in_progress");

  const started: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    argsDigest,
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
  };
  if (invocation.claim === "request") {
    const free: Condition = earlier
      ? { equals: { status: earlier.status, startedAtMs: earlier.startedAtMs } }
      : { notEquals: { argsDigest } };
    if (!(await ctx.store.note(put<IdempotencyRow>(key, started, free)))) return failure("in_progress");
  }

  const settle = (writes: Write[], outcome: Outcome): Promise<void> =>
    ctx.store.commit(writes, auditOf(call, work.startedAtMs, ctx.clock().getTime(), invocation, outcome));
  const finished = async (ran: Pick<Ran<unknown>, "code" | "output">, when?: Condition): Promise<Write> =>
    put<IdempotencyRow>(key, { ...started, status: "done", sealedAnswer: await sealAnswer(ctx.tenantId, ran) }, when);

  let intent: Intent | undefined;
  let run: Run | undefined;
  let ran: Ran<unknown>;
  try {
    run = await openRun(work, (next) => (intent = next));
    ran = await time.within(outcomeOf(work, run, earlier));
  } catch (error) {
    const code = outcomeCode(codeOf(ctx, call, error), intent);
    await settleFailure(code);
    return failure(code, error);
  }
  try {
    // A no must not overwrite the yes of a parallel run of the same request.
    await settle([await finished(ran, ran.code ? { notEquals: { status: "done" } } : undefined)], ran);
    return answerOf(tool, tenant, ran);
  } catch (error) {
    const first = isAppError(error, "stale_version") ? await ctx.store.get<IdempotencyRow>(key) : undefined;
    if (first) return replay(work, first);
    ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey });
    if (ran.code || !intent) return failure("unavailable");
    await settleFailure("ehr_unknown_outcome");
    return failure("ehr_unknown_outcome");
  }

  /** What is unknown is kept for whoever looks; after any other failure the request may simply come again. */
  async function settleFailure(code: ErrorCode): Promise<void> {
    try {
      if (code === "ehr_unknown_outcome" && intent) {
        const kept = {
          ...intent,
          platform: call.platform,
          providerId: run?.ehr.providerId ?? "",
          patientId: state?.patientId ?? "",
          ...(call.officeId ? { officeId: call.officeId } : {}),
        };
        const sealedIntent = await sealIntent(ctx.tenantId, kept);
        await settle(
          [put<IdempotencyRow>(key, { ...started, status: "unknown", sealedIntent }), dueWork(ctx.tenantId, requestKey, ctx.clock())],
          { code },
        );
      } else await settle(invocation.claim === "request" ? [remove(key)] : [], { code });
    } catch (error) {
      ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, code });
    }
  }
}

/** After an unknown outcome the record system is searched before anything is sent again. */
async function outcomeOf({ ctx, tool, invocation }: Work, run: Run, earlier: IdempotencyRow | undefined): Promise<Ran<unknown>> {
  const found = earlier?.sealedIntent ? await tool.recover(run, await unsealIntent(ctx.tenantId, earlier.sealedIntent)) : undefined;
  return found ?? invocation.run(run);
}

/** Once a write was on its way, running out of time means not knowing. */
const outcomeCode = (code: ErrorCode, intent: Intent | undefined): ErrorCode =>
  code === "deadline_exceeded" && intent ? "ehr_unknown_outcome" : code;

async function replay({ ctx, tool, tenant }: Work, { sealedAnswer }: IdempotencyRow): Promise<ToolAnswer> {
  const { code, output } = await unsealAnswer(ctx.tenantId, sealedAnswer ?? "");
  return output === undefined ? failure(code ?? "unavailable") : answerOf(tool, tenant, { code, output });
}
