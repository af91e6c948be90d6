import { type ErrorCode, errorFields, isAppError, newId } from "@vitaline/core";
import { type IdempotencyRow, keys, put, remove, schedule, type Write } from "@vitaline/store";
import { closeTaskByCall } from "@vitaline/tasks";
import { auditEntry, type Outcome } from "../run/audit.ts";
import type { Intent, RunResult } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { taskAboutIntent, unsealResult, sealResult, sealIntent } from "./sealed-result.ts";
import { taskWrites, taskWrite } from "../run/tasks.ts";
import { isUnchanged, type Found, firstAnswerStays, stepOf, unconfirmedTaskOf } from "./request-states.ts";
import { answerOf, failure, type RunContext } from "../run/run-context.ts";

/** More than there are environments with the same request at once. */
const maxRounds = 5;

type Attempt = {
  work: RunContext;
  found: Found;
  started: IdempotencyRow;
  /** The task for an outcome that stays unknown. */
  taskId: string;
  providerId?: string | undefined;
  intent?: Intent;
};

/** `after`: the earlier request id, if the same words are a new execution. */
export function newAttempt(work: RunContext, after: string | undefined, nowMs: number): Attempt {
  const { ctx, call, tool, invocation, earlier: row } = work;
  const started: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    ...(after ? { after } : {}),
    expiresAt: Math.floor(nowMs / 1000) + retentionSeconds,
  };
  const found = { row, claim: invocation.claim, requestId: ctx.requestId };
  return { work, found, started, taskId: unconfirmedTaskOf(row) ?? newId(nowMs) };
}

const keyOf = ({ requestKey }: RunContext) => keys.idempotency(requestKey);
const rowNow = ({ work }: Attempt): Promise<IdempotencyRow | undefined> => work.ctx.store.get<IdempotencyRow>(keyOf(work));

/** Claims the request's row; false while another run holds it. One write unit. */
export async function claimRequest(attempt: Attempt): Promise<boolean> {
  const { work, found, started } = attempt;
  const step = stepOf(found, "claimed");
  if (!step || (await work.ctx.store.writeUnaudited(put<IdempotencyRow>(keyOf(work), started, step.when)))) return true;
  // The first attempt of this very write may have succeeded with its answer lost.
  const taken = await rowNow(attempt);
  return taken?.status === "started" && taken.requestId === started.requestId;
}

export async function replay(work: RunContext, row: IdempotencyRow): Promise<ToolAnswer> {
  const { code, output } = await unsealResult(work.ctx.tenantId, row);
  return output === undefined ? failure(code ?? "unavailable") : answerOf(work, { code, output });
}

/**
 * Stores the result as the answer to every retry, in one commit with the audit row. If another environment answered first, its answer is
 * returned and this run leaves no trace; see `firstAnswerStays`.
 */
export async function recordAnswer(attempt: Attempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  const { work, found, started } = attempt;
  const { ctx } = work;
  if (ran.isReplay) return answerOf(work, ran);
  if (ran.ownRow ?? ran.isRecordedByTool) return recordInOwnRow(attempt, ran);
  const row: IdempotencyRow = { ...started, status: "done", sealedAnswer: await sealResult(ctx.tenantId, ran) };
  const step = stepOf(found, "answered");
  let { when } = step;
  let taskId = step.extra.includes("close task") ? attempt.taskId : undefined;
  for (let round = 0; ; round++) {
    const closed = taskId ? [closeTaskByCall(ctx, taskId, ran.code ? "did_not_happen" : "happened")] : [];
    try {
      await commitRun(attempt, [put(keyOf(work), row, when), ...closed], ran);
      return answerOf(work, ran);
    } catch (error) {
      const first = isAppError(error, "stale_version") ? await rowNow(attempt) : undefined;
      if (!first || round === maxRounds) throw error;
      if (first.status === "done" && firstAnswerStays(await unsealResult(ctx.tenantId, first), ran)) return replay(work, first);
      taskId = round === 0 ? first.taskId : undefined;
      when = isUnchanged(first);
    }
  }
}

async function recordInOwnRow(attempt: Attempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  await commitRun(attempt, ran.ownRow ? [ran.ownRow] : [], ran).catch((error: unknown) => {
    if (!isAppError(error, "duplicate")) throw error;
  });
  await ran.afterAudit?.();
  return answerOf(attempt.work, ran);
}

/** Stores an unknown outcome for recovery. After any other failure the request may be sent again. */
export async function recordFailure(attempt: Attempt, code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
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
      if (lost) await recordLostWithoutTransaction(attempt, lost, code).catch((failed: unknown) => logUnrecorded(attempt, failed, code));
    }
  }
  return failure(code, cause);
}

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
    ...(step.extra.includes("remind probe") ? [recoveryWrite(work)] : []),
    ...(step.extra.includes("open task") ? [await unconfirmedActionTask(attempt, lost)] : []),
  ];
}

/** When keys or transactions fail, single writes may still succeed. The staff task is created later by recovery. */
async function recordLostWithoutTransaction(attempt: Attempt, lost: Intent, code: ErrorCode): Promise<void> {
  const { work, found, started } = attempt;
  const taskId = unconfirmedTaskOf(found.row);
  const row: IdempotencyRow = { ...started, ...(taskId ? { taskId } : {}), status: "unknown", intent: lost };
  await work.ctx.store.writeUnaudited(put(keyOf(work), row, stepOf(found, "outcome lost").when));
  await work.ctx.store.writeUnaudited(recoveryWrite(work));
  await commitOutcome(attempt, [], { code });
}

const recoveryWrite = ({ ctx, requestKey }: RunContext): Write => scheduleRecovery(ctx.tenantId, requestKey, ctx.clock());

const unconfirmedActionTask = ({ work, taskId, providerId }: Attempt, lost: Intent): Promise<Write> =>
  taskWrite(work, taskId, { kind: "unconfirmed_action", providerId, about: taskAboutIntent(lost) });

async function commitRun(attempt: Attempt, writes: Write[], ran: RunResult<unknown>): Promise<void> {
  const { writes: tasks, detail } = await taskWrites(attempt.work, attempt.providerId, ran);
  return commitOutcome(attempt, [...writes, ...tasks], { ...ran, detail: { ...ran.detail, ...detail } });
}

const commitOutcome = ({ work, providerId }: Attempt, writes: Write[], outcome: Outcome): Promise<void> => {
  const { ctx, call, invocation, startedAtMs } = work;
  return ctx.store.commit(writes, auditEntry(call, startedAtMs, ctx.clock().getTime(), invocation, { ...outcome, providerId }));
};

export function logUnrecorded({ work: { ctx, tool, call } }: Attempt, error: unknown, code?: ErrorCode): void {
  ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
}

const firstRecoverySeconds = 45;
const retentionSeconds = 24 * 3600;

function scheduleRecovery(tenantId: string, idempotencyId: string, now: Date): Write {
  const dueAt = new Date(now.getTime() + firstRecoverySeconds * 1000).toISOString();
  const expiresAt = Math.floor(now.getTime() / 1000) + retentionSeconds;
  return schedule({ kind: "idempotency", tenantId, id: idempotencyId, dueAt, expiresAt });
}
