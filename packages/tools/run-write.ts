import { errorFields, isAppError, type ErrorCode } from "@vitaline/core";
import { keys, put, remove, type Condition, type Write, type IdempotencyRow } from "@vitaline/store";
import { auditOf, type Outcome } from "./audit-run.ts";
import { dueWork, keptSeconds } from "./due-work.ts";
import type { Intent, Ran, Run, ToolAnswer } from "./define-tool.ts";
import { sealAnswer, intentIn, sealIntent, unsealAnswer, type FirstAnswer } from "./first-answer.ts";
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
  const same = work.earlier?.argsDigest === argsDigest;
  if (same && work.earlier?.status === "done" && (await holds(work, work.earlier))) return replay(work, work.earlier);
  /** What another request has left under this key, or this one when it meant something else: it gives way. */
  const past = same && work.earlier?.status !== "done" ? undefined : work.earlier;
  const earlier = past ? undefined : work.earlier;
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
  if (invocation.claim === "request" && !(await claim())) return failure("in_progress");

  const settle = (writes: Write[], outcome: Outcome): Promise<void> =>
    ctx.store.commit(writes, auditOf(call, work.startedAtMs, ctx.clock().getTime(), invocation, outcome));
  /** Of this request the first answer stays; whoever claims it has put away what was there before. */
  const unlessDone: Condition =
    past && invocation.claim === "own"
      ? { equals: { argsDigest: past.argsDigest, requestId: past.requestId } }
      : { notEquals: { status: "done" } };

  let intent: Intent | undefined;
  let run: Run | undefined;
  let ran: Ran<unknown>;
  try {
    run = { ...(await openRun(work, (next) => (intent = next))), triedBy: work.earlier?.requestId };
    ran = await time.within(outcomeOf(work, run, earlier));
  } catch (error) {
    return fail(outcomeCode(codeOf(ctx, call, error), intent), error);
  }
  try {
    return await finish(ran);
  } catch (error) {
    unrecorded(error);
    return ran.code || !intent ? failure("unavailable") : fail("ehr_unknown_outcome");
  }

  /** Takes the request for this run; also when the first try went through and only its answer was lost. */
  async function claim(): Promise<boolean> {
    const before = same ? work.earlier : undefined;
    const free: Condition = before ? { equals: { status: before.status, startedAtMs: before.startedAtMs } } : { notEquals: { argsDigest } };
    if (await ctx.store.note(put<IdempotencyRow>(key, started, free))) return true;
    const taken = await ctx.store.get<IdempotencyRow>(key);
    return taken?.status === "started" && taken.requestId === ctx.requestId;
  }

  /**
   * Keeps what came of it as the answer to every repetition. Where another environment was first with the same request, its
   * answer is given and this run leaves no trace; only a no gives way to a yes, of which it cannot have known.
   */
  async function finish(outcome: Ran<unknown>): Promise<ToolAnswer> {
    const row: IdempotencyRow = { ...started, status: "done", sealedAnswer: await sealAnswer(ctx.tenantId, outcome) };
    for (let when = unlessDone; ;) {
      try {
        await settle([put(key, row, when)], outcome);
        return answerOf(tool, tenant, outcome);
      } catch (error) {
        const first = isAppError(error, "stale_version") ? await ctx.store.get<IdempotencyRow>(key) : undefined;
        if (!first) throw error;
        if (isDone(first) && (outcome.code || !(await firstAnswer(work, first)).code)) return replay(work, first);
        when = { equals: { status: first.status, requestId: first.requestId } };
      }
    }
  }

  /** What is unknown is kept for whoever looks; after any other failure the request may simply come again. */
  async function fail(code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
    try {
      await settle(await tracesOf(code), { code });
    } catch (error) {
      if (!isAppError(error, "stale_version")) {
        unrecorded(error, code);
        await rememberPlainly(code).catch((failed: unknown) => unrecorded(failed, code));
      } else {
        const first = await ctx.store.get<IdempotencyRow>(key).catch(() => undefined);
        if (first && isDone(first)) return replay(work, first);
        await settle([], { code }).catch((failed: unknown) => unrecorded(failed, code));
      }
    }
    return failure(code, cause);
  }

  async function tracesOf(code: ErrorCode): Promise<Write[]> {
    const kept = intentToKeep(code);
    if (!kept) return invocation.claim === "request" ? [remove(key, { equals: { requestId: ctx.requestId } })] : [];
    const row: IdempotencyRow = { ...started, status: "unknown", sealedIntent: await sealIntent(ctx.tenantId, kept) };
    return [put(key, row, unlessDone), dueWork(ctx.tenantId, requestKey, ctx.clock())];
  }

  function intentToKeep(code: ErrorCode): Intent | undefined {
    if (code !== "ehr_unknown_outcome" || !intent) return undefined;
    return {
      ...intent,
      platform: call.platform,
      providerId: run?.ehr.providerId ?? "",
      patientId: state?.patientId ?? "",
      ...(call.officeId ? { officeId: call.officeId } : {}),
    };
  }

  /** Where keys or transactions fail, single writes may still go through: the probe must come to know of it, and so must the audit. */
  async function rememberPlainly(code: ErrorCode): Promise<void> {
    const kept = intentToKeep(code);
    if (!kept) return;
    await ctx.store.note(put<IdempotencyRow>(key, { ...started, status: "unknown", intent: kept }, unlessDone));
    await ctx.store.note(dueWork(ctx.tenantId, requestKey, ctx.clock()));
    await settle([], { code });
  }

  function isDone(row: IdempotencyRow): boolean {
    return row.status === "done" && row.argsDigest === argsDigest;
  }

  function unrecorded(error: unknown, code?: ErrorCode): void {
    ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
  }
}

/**
 * Whether the first answer is the answer again. With an id of the tool call it is; without one the same words may be said anew, so
 * then only a yes that is still so in the record system. Throws what the EHR throws.
 */
async function holds(work: Work, row: IdempotencyRow): Promise<boolean> {
  if (work.call.toolCallId) return true;
  const { code, output } = await firstAnswer(work, row);
  if (code || output === undefined) return false;
  const run = await openRun(work, () => {});
  return work.time.within(work.invocation.stands(run, output));
}

/** After an unknown outcome the record system is searched before anything is sent again. */
async function outcomeOf({ ctx, tool, invocation }: Work, run: Run, earlier: IdempotencyRow | undefined): Promise<Ran<unknown>> {
  const intent = earlier && (await intentIn(ctx.tenantId, earlier));
  return (intent && (await tool.recover(run, intent))) ?? invocation.run(run);
}

/** Once a write was on its way, running out of time means not knowing. */
const outcomeCode = (code: ErrorCode, intent: Intent | undefined): ErrorCode =>
  code === "deadline_exceeded" && intent ? "ehr_unknown_outcome" : code;

const firstAnswer = ({ ctx }: Work, { sealedAnswer }: IdempotencyRow): Promise<FirstAnswer> =>
  unsealAnswer(ctx.tenantId, sealedAnswer ?? "");

async function replay(work: Work, row: IdempotencyRow): Promise<ToolAnswer> {
  const { tool, tenant } = work;
  const { code, output } = await firstAnswer(work, row);
  return output === undefined ? failure(code ?? "unavailable") : answerOf(tool, tenant, { code, output });
}
