import { type ErrorCode, errorFields, isAppError, newId } from "@vitaline/core";
import { type DueRow, type IdempotencyRow, keys, put, remove, type Write } from "@vitaline/store";
import { closeByCall } from "@vitaline/tasks";
import { auditOf, type Outcome } from "../run/audit.ts";
import type { Intent, Ran } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { aboutIntent, firstAnswerOf, sealAnswer, sealIntent } from "./sealed-result.ts";
import { promised, taskOf } from "../run/tasks.ts";
import { asFound, type Found, staysFirst, stepOf, unconfirmedTaskOf } from "./request-states.ts";
import { answerOf, failure, type Work } from "../run/run-context.ts";

/** More than there are environments with one request at once. */
const mostRounds = 5;

/** One run of a request, as far as it has come. */
type Attempt = {
  work: Work;
  found: Found;
  /** The row of a run that is at work; what else the row says later is added to it. */
  started: IdempotencyRow;
  /** The task that an outcome which stays unknown has, or would have. */
  taskId: string;
  providerId?: string | undefined;
  /** What is about to be sent, from then on. */
  intent?: Intent;
};

/** `after`: the request in which the same words were said before, where they are a new wish. */
export function attemptOf(work: Work, after: string | undefined, nowMs: number): Attempt {
  const { ctx, call, tool, invocation, earlier: row } = work;
  const started: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    ...(after ? { after } : {}),
    expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
  };
  const found = { row, claim: invocation.claim, requestId: ctx.requestId };
  return { work, found, started, taskId: unconfirmedTaskOf(row) ?? newId(nowMs) };
}

const keyOf = ({ requestKey }: Work) => keys.idempotency(requestKey);
const rowNow = ({ work }: Attempt): Promise<IdempotencyRow | undefined> => work.ctx.store.get<IdempotencyRow>(keyOf(work));

/** Takes the request for this run, where its row is the claim; false while another run is at it. One write unit. */
export async function claimRequest(attempt: Attempt): Promise<boolean> {
  const { work, found, started } = attempt;
  const step = stepOf(found, "claimed");
  if (!step || (await work.ctx.store.note(put<IdempotencyRow>(keyOf(work), started, step.when)))) return true;
  // Also when the first try of this very write went through and only its answer was lost
  const taken = await rowNow(attempt);
  return taken?.status === "started" && taken.requestId === started.requestId;
}

/** The answer that a request was given first. */
export async function replay(work: Work, row: IdempotencyRow): Promise<ToolAnswer> {
  const { code, output } = await firstAnswerOf(work.ctx.tenantId, row);
  return output === undefined ? failure(code ?? "unavailable") : answerOf(work, { code, output });
}

/**
 * Keeps what came of a run as the answer to every repetition, in one commit with its audit row. Where another environment was first with
 * the same request, its answer is given and this run leaves no trace; see `staysFirst`.
 */
export async function keepAnswer(attempt: Attempt, ran: Ran<unknown>): Promise<ToolAnswer> {
  const { work, found, started } = attempt;
  const { ctx } = work;
  if (ran.repeated) return answerOf(work, ran);
  if (ran.keeps ?? ran.answersAgain) return keepInOwnRow(attempt, ran);
  const row: IdempotencyRow = { ...started, status: "done", sealedAnswer: await sealAnswer(ctx.tenantId, ran) };
  const step = stepOf(found, "answered");
  let { when } = step;
  let taskId = step.extra.includes("close task") ? attempt.taskId : undefined;
  for (let round = 0; ; round++) {
    const closed = taskId ? [closeByCall(ctx, taskId, ran.code ? "did_not_happen" : "happened")] : [];
    try {
      await commitRun(attempt, [put(keyOf(work), row, when), ...closed], ran);
      return answerOf(work, ran);
    } catch (error) {
      const first = isAppError(error, "stale_version") ? await rowNow(attempt) : undefined;
      if (!first || round === mostRounds) throw error;
      if (first.status === "done" && staysFirst(await firstAnswerOf(ctx.tenantId, first), ran)) return replay(work, first);
      taskId = round === 0 ? first.taskId : undefined;
      when = asFound(first);
    }
  }
}

/** The tool's own row stands for the request; a run that finds it made gives the same answer and leaves no trace. */
async function keepInOwnRow(attempt: Attempt, ran: Ran<unknown>): Promise<ToolAnswer> {
  await commitRun(attempt, ran.keeps ? [ran.keeps] : [], ran).catch((error: unknown) => {
    if (!isAppError(error, "duplicate")) throw error;
  });
  await ran.afterAudit?.();
  return answerOf(attempt.work, ran);
}

/** Keeps what is not known, for those who look into it; after any other failure the request may simply come again. */
export async function keepFailure(attempt: Attempt, code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
  const { work, found } = attempt;
  const lost = lostIntent(attempt, code);
  const opensTask = lost !== undefined && stepOf(found, "outcome lost").extra.includes("open task");
  const outcome: Outcome = { code, ...(opensTask ? { detail: { taskId: attempt.taskId } } : {}) };
  try {
    await commitOutcome(attempt, lost ? await writesOfLost(attempt, lost) : writesOfFailed(attempt), outcome);
  } catch (error) {
    if (isAppError(error, "stale_version")) {
      const first = await rowNow(attempt).catch(() => undefined);
      if (first?.status === "done") return replay(work, first);
      await commitOutcome(attempt, [], { code }).catch((failed: unknown) => logUnrecorded(attempt, failed, code));
    } else {
      logUnrecorded(attempt, error, code);
      if (lost) await keepLostPlainly(attempt, lost, code).catch((failed: unknown) => logUnrecorded(attempt, failed, code));
    }
  }
  return failure(code, cause);
}

/** The intent of a run that has sent it and does not know what became of it. */
function lostIntent({ work: { call, state }, intent, providerId = "" }: Attempt, code: ErrorCode): Intent | undefined {
  if (code !== "ehr_unknown_outcome" || !intent) return undefined;
  const { platform, officeId } = call;
  return { ...intent, platform, providerId, patientId: state?.patientId ?? "", ...(officeId ? { officeId } : {}) };
}

function writesOfFailed({ work, found }: Attempt): Write[] {
  const step = stepOf(found, "failed");
  if (!step) return [];
  return [step.becomes !== "absent" && found.row ? put(keyOf(work), found.row, step.when) : remove(keyOf(work), step.when)];
}

async function writesOfLost(attempt: Attempt, lost: Intent): Promise<Write[]> {
  const { work, found, started, taskId } = attempt;
  const step = stepOf(found, "outcome lost");
  const row: IdempotencyRow = { ...started, taskId, status: "unknown", sealedIntent: await sealIntent(work.ctx.tenantId, lost) };
  return [
    put(keyOf(work), row, step.when),
    ...(step.extra.includes("remind probe") ? [remindProbe(work)] : []),
    ...(step.extra.includes("open task") ? [await openTask(attempt, lost)] : []),
  ];
}

/**
 * Where keys or transactions fail, single writes may still go through: the probe must come to know of it, and so must the audit. The
 * task of staff, which is audited, is made when the probe has looked into it.
 */
async function keepLostPlainly(attempt: Attempt, lost: Intent, code: ErrorCode): Promise<void> {
  const { work, found, started } = attempt;
  const taskId = unconfirmedTaskOf(found.row);
  const row: IdempotencyRow = { ...started, ...(taskId ? { taskId } : {}), status: "unknown", intent: lost };
  await work.ctx.store.note(put(keyOf(work), row, stepOf(found, "outcome lost").when));
  await work.ctx.store.note(remindProbe(work));
  await commitOutcome(attempt, [], { code });
}

const remindProbe = ({ ctx, requestKey }: Work): Write => dueWork(ctx.tenantId, requestKey, ctx.clock());

/** That it is being checked is a promise, too. */
const openTask = ({ work, taskId, providerId }: Attempt, lost: Intent): Promise<Write> =>
  taskOf(work, taskId, { kind: "unconfirmed_action", providerId, about: aboutIntent(lost) });

async function commitRun(attempt: Attempt, writes: Write[], ran: Ran<unknown>): Promise<void> {
  const { writes: tasks, detail } = await promised(attempt.work, attempt.providerId, ran);
  return commitOutcome(attempt, [...writes, ...tasks], { ...ran, detail: { ...ran.detail, ...detail } });
}

const commitOutcome = ({ work, providerId }: Attempt, writes: Write[], outcome: Outcome): Promise<void> => {
  const { ctx, call, invocation, startedAtMs } = work;
  return ctx.store.commit(writes, auditOf(call, startedAtMs, ctx.clock().getTime(), invocation, { ...outcome, providerId }));
};

export function logUnrecorded({ work: { ctx, tool, call } }: Attempt, error: unknown, code?: ErrorCode): void {
  ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
}

const firstLookSeconds = 45;
/** Nothing is looked for longer than its idempotency row lives. */
const keptSeconds = 24 * 3600;

/** The minute probe's reminder to find out what became of a write. */
function dueWork(tenantId: string, idempotencyId: string, now: Date): Write {
  const dueAt = new Date(now.getTime() + firstLookSeconds * 1000).toISOString();
  const shard = String(Number.parseInt(idempotencyId.slice(0, 2), 16) % 4);
  const expiresAt = Math.floor(now.getTime() / 1000) + keptSeconds;
  return put<DueRow>(keys.due(shard, dueAt, "idempotency", idempotencyId), {
    kind: "idempotency",
    tenantId,
    id: idempotencyId,
    dueAt,
    expiresAt,
  });
}
