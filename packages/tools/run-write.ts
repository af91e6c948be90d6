import { errorFields, isAppError, newId, type ErrorCode } from "@vitaline/core";
import { keys, put, remove, type Condition, type Write, type IdempotencyRow } from "@vitaline/store";
import { closeByCall } from "@vitaline/tasks";
import { auditOf, type Outcome } from "./audit-run.ts";
import { dueWork, keptSeconds } from "./due-work.ts";
import type { Intent, Ran, Run, ToolAnswer } from "./define-tool.ts";
import { aboutIntent, sealAnswer, intentIn, sealIntent, unsealAnswer, type FirstAnswer } from "./first-answer.ts";
import { promised, taskOf } from "./promised.ts";
import { wishKeyOf } from "./request-key.ts";
import { answerOf, codeOf, failure, openRun, type Work } from "./work.ts";

/** A run that began longer ago than this has died on the way: no deadline is that long. */
const abandonedAfterMs = 30_000;
/** More than there are environments with one request at once. */
const mostRounds = 5;

/** Runs a tool that changes something: at most once per request, and with its first answer for every repetition. */
export async function runWrite(work: Work): Promise<ToolAnswer> {
  const { ctx, call, tool, invocation, requestKey, state, time } = work;
  const key = keys.idempotency(requestKey);
  const nowMs = ctx.clock().getTime();
  /** What these words have led to when they meant something else: it gives way. */
  const past = work.earlier?.status === "done" ? work.earlier : undefined;
  const meaning = past && (await meaningOf(work, past));
  if (past && meaning === "again") return replay(work, past);
  const after = past && meaning === "anew" ? past.requestId : work.earlier?.after;
  const earlier = past ? undefined : work.earlier;
  if (earlier?.status === "started" && nowMs - earlier.startedAtMs < abandonedAfterMs) return failure("in_progress");

  const started: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    ...(after ? { after } : {}),
    expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
  };
  /** What stays known where this run comes to nothing: what was fulfilled, so that the next try is not taken for it; what is unknown still. */
  const before = past ?? (earlier?.status === "unknown" ? earlier : undefined);
  if (invocation.claim === "request" && !(await claim())) return failure("in_progress");

  const settle = (writes: Write[], outcome: Outcome): Promise<void> =>
    ctx.store.commit(
      writes,
      auditOf(call, work.startedAtMs, ctx.clock().getTime(), invocation, { ...outcome, providerId: run?.providerId }),
    );
  /** Of this request the first answer stays; whoever claims it has put away what was there before. */
  const unlessDone: Condition =
    past && invocation.claim === "own" ? { equals: { requestId: past.requestId } } : { notEquals: { status: "done" } };

  /** The task that an earlier try of unknown outcome has left. */
  const unconfirmed = earlier?.taskId;
  const unconfirmedId = unconfirmed ?? newId(nowMs);

  let intent: Intent | undefined;
  let run: Run | undefined;
  let ran: Ran<unknown>;
  try {
    const opened = await openRun(work, (next) => (intent = next));
    run = { ...opened, requestKey: wishKeyOf(requestKey, after), triedBy: work.earlier?.requestId };
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
    const read = work.earlier;
    const free: Condition = read ? { equals: { status: read.status, startedAtMs: read.startedAtMs } } : { exists: false };
    if (await ctx.store.note(put<IdempotencyRow>(key, started, free))) return true;
    const taken = await ctx.store.get<IdempotencyRow>(key);
    return taken?.status === "started" && taken.requestId === ctx.requestId;
  }

  /**
   * Keeps what came of it as the answer to every repetition. Where another environment was first with the same request, its
   * answer is given and this run leaves no trace; only a no gives way to a yes, of which it cannot have known.
   */
  async function finish(outcome: Ran<unknown>): Promise<ToolAnswer> {
    if (outcome.repeated) return answerOf(work, outcome);
    if (outcome.keeps ?? outcome.answersAgain) return keep(outcome);
    const row: IdempotencyRow = { ...started, status: "done", sealedAnswer: await sealAnswer(ctx.tenantId, outcome) };
    const finding = outcome.code ? "did_not_happen" : "happened";
    let taskId = unconfirmed;
    for (let [round, when] = [0, unlessDone]; ; round++) {
      try {
        await settlePromised([put(key, row, when), ...(taskId ? [closeByCall(ctx, taskId, finding)] : [])], outcome);
        return answerOf(work, outcome);
      } catch (error) {
        const first = isAppError(error, "stale_version") ? await ctx.store.get<IdempotencyRow>(key) : undefined;
        if (!first || round === mostRounds) throw error;
        taskId = round === 0 ? first.taskId : undefined;
        if (first.status === "done" && (outcome.code || !(await firstAnswer(work, first)).code)) return replay(work, first);
        when = { equals: { status: first.status, requestId: first.requestId } };
      }
    }
  }

  async function settlePromised(writes: Write[], outcome: Ran<unknown>): Promise<void> {
    const { writes: tasks, detail } = await promised(work, run?.providerId, outcome);
    return settle([...writes, ...tasks], { ...outcome, detail: { ...outcome.detail, ...detail } });
  }

  /** Whoever finds the tool's own row made already gives the same answer and leaves no trace. */
  async function keep(outcome: Ran<unknown>): Promise<ToolAnswer> {
    await settlePromised(outcome.keeps ? [outcome.keeps] : [], outcome).catch((error: unknown) => {
      if (!isAppError(error, "duplicate")) throw error;
    });
    await outcome.afterAudit?.();
    return answerOf(work, outcome);
  }

  /** What is unknown is kept for whoever looks; after any other failure the request may simply come again. */
  async function fail(code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
    try {
      const isNewTask = !unconfirmed && intentToKeep(code) !== undefined;
      await settle(await tracesOf(code), { code, ...(isNewTask ? { detail: { taskId: unconfirmedId } } : {}) });
    } catch (error) {
      if (!isAppError(error, "stale_version")) {
        unrecorded(error, code);
        await rememberPlainly(code).catch((failed: unknown) => unrecorded(failed, code));
      } else {
        const first = await ctx.store.get<IdempotencyRow>(key).catch(() => undefined);
        if (first?.status === "done") return replay(work, first);
        await settle([], { code }).catch((failed: unknown) => unrecorded(failed, code));
      }
    }
    return failure(code, cause);
  }

  async function tracesOf(code: ErrorCode): Promise<Write[]> {
    const kept = intentToKeep(code);
    const ours: Condition = { equals: { requestId: ctx.requestId } };
    if (!kept) return invocation.claim === "request" ? [before ? put(key, before, ours) : remove(key, ours)] : [];
    const sealedIntent = await sealIntent(ctx.tenantId, kept);
    const row: IdempotencyRow = { ...started, taskId: unconfirmedId, status: "unknown", sealedIntent };
    const task = unconfirmed ? [] : [await unconfirmedTask(kept)];
    return [put(key, row, unlessDone), dueWork(ctx.tenantId, requestKey, ctx.clock()), ...task];
  }

  /** That it is being checked is a promise, too. */
  function unconfirmedTask(kept: Intent): Promise<Write> {
    return taskOf(work, unconfirmedId, { kind: "unconfirmed_action", providerId: run?.providerId, about: aboutIntent(kept) });
  }

  function intentToKeep(code: ErrorCode): Intent | undefined {
    if (code !== "ehr_unknown_outcome" || !intent) return undefined;
    return {
      ...intent,
      platform: call.platform,
      providerId: run?.providerId ?? "",
      patientId: state?.patientId ?? "",
      ...(call.officeId ? { officeId: call.officeId } : {}),
    };
  }

  /** Where keys or transactions fail, single writes may still go through: the probe must come to know of it, and so must the audit. */
  async function rememberPlainly(code: ErrorCode): Promise<void> {
    const kept = intentToKeep(code);
    if (!kept) return;
    const taskId = unconfirmed ?? (await noteTask(kept).catch((error: unknown) => unrecorded(error, code)));
    const task = taskId ? { taskId } : {};
    await ctx.store.note(put<IdempotencyRow>(key, { ...started, ...task, status: "unknown", intent: kept }, unlessDone));
    await ctx.store.note(dueWork(ctx.tenantId, requestKey, ctx.clock()));
    await settle([], { code, ...(unconfirmed ? {} : { detail: task }) });
  }

  async function noteTask(kept: Intent): Promise<string> {
    await ctx.store.note(await unconfirmedTask(kept));
    return unconfirmedId;
  }

  function unrecorded(error: unknown, code?: ErrorCode): void {
    ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
  }
}

/**
 * What the same request means once it was answered. With an id of the tool call it came "again"; without one the same words may be said
 * "anew", after a yes that is not so any more, or be one more "try" after a no. Throws what the EHR throws.
 */
async function meaningOf(work: Work, row: IdempotencyRow): Promise<"again" | "anew" | "try"> {
  if (work.call.toolCallId) return "again";
  const { code, output } = await firstAnswer(work, row);
  if (code || output === undefined) return "try";
  const run = await openRun(work, () => {});
  return (await work.time.within(work.invocation.stands(run, output, row.startedAtMs))) ? "again" : "anew";
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
  const { code, output } = await firstAnswer(work, row);
  return output === undefined ? failure(code ?? "unavailable") : answerOf(work, { code, output });
}
