import { type ErrorCode, errorFields, isAppError, newId } from "@vitaline/core";
import { type IdempotencyRow, keys, put, remove, schedule, type Write } from "@vitaline/store";
import { closeTaskByCall } from "@vitaline/tasks";
import { actsForOf, auditEntry, type Outcome, taskWrite, taskWrites } from "../run/audit.ts";
import type { PlannedWrite, RunResult } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { firstAnswerStays, type RequestSnapshot, isUnchanged, transitionOf, unconfirmedTaskOf } from "./request-states.ts";
import { answerOf, failure, type PreparedRun } from "../run/run-context.ts";
import { sealPlannedWrite, sealResult, taskAboutWrite, unsealResult } from "./sealed-result.ts";

/** More than the function instances that run the same request at once. */
const maxRounds = 5;

type RequestAttempt = {
  context: PreparedRun;
  snapshot: RequestSnapshot;
  startedRow: IdempotencyRow;
  /** The task for an outcome that stays unknown. */
  taskId: string;
  providerId?: string | undefined;
  plannedWrite?: PlannedWrite;
};

/** `repeatedRequestId`: set if the same words are a new execution. */
export function newAttempt(context: PreparedRun, repeatedRequestId: string | undefined, nowMs: number): RequestAttempt {
  const { ctx, call, tool, request, requestRow: row } = context;
  const startedRow: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    ...(call.isTest ? { isTest: true } : {}),
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    ...(repeatedRequestId ? { repeatOfRequestId: repeatedRequestId } : {}),
    expiresAt: Math.floor(nowMs / 1000) + retentionSeconds,
  };
  const snapshot = { row, deduplication: request.deduplication, requestId: ctx.requestId };
  return { context, snapshot, startedRow, taskId: unconfirmedTaskOf(row) ?? newId(nowMs) };
}

const keyOf = ({ requestKey }: PreparedRun) => keys.idempotency(requestKey);
const readRow = ({ context }: RequestAttempt): Promise<IdempotencyRow | undefined> => context.ctx.store.get<IdempotencyRow>(keyOf(context));

/**
 * Marks the request as started; false while another run of it is active. One write unit. A booking is not marked, since the lock of its
 * slot keeps other runs out.
 */
export async function startRequest(attempt: RequestAttempt): Promise<boolean> {
  const { context, snapshot, startedRow } = attempt;
  const transition = transitionOf(snapshot, "started");
  if (!transition || (await context.ctx.store.writeUnaudited(put<IdempotencyRow>(keyOf(context), startedRow, transition.condition))))
    return true;
  // The first attempt of this very write may have succeeded with its answer lost.
  const taken = await readRow(attempt);
  return taken?.status === "started" && taken.requestId === startedRow.requestId;
}

export async function replay(context: PreparedRun, row: IdempotencyRow): Promise<ToolAnswer> {
  const { code, output } = await unsealResult(context.ctx.tenantId, row);
  return output === undefined ? failure(context, code ?? "unavailable") : answerOf(context, { code, output });
}

/**
 * Stores the result as the answer to every retry, in one commit with the audit row. If another function instance answered first, its answer is
 * returned and this run leaves no trace; see `firstAnswerStays`.
 */
export async function recordAnswer(attempt: RequestAttempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  const { context, snapshot, startedRow } = attempt;
  const { ctx } = context;
  if (ran.isReplay) return answerOf(context, ran);
  if (ran.ownRow ?? ran.isRecordedByTool) return recordInOwnRow(attempt, ran);
  const row: IdempotencyRow = { ...startedRow, status: "done", sealedAnswer: await sealResult(ctx.tenantId, ran) };
  const transition = transitionOf(snapshot, "answered");
  let { condition } = transition;
  let taskId = transition.alsoWrites.includes("close task") ? attempt.taskId : undefined;
  for (let round = 0; ; round++) {
    const closed = taskId ? [closeTaskByCall(ctx, taskId, ran.code ? "did_not_happen" : "happened")] : [];
    try {
      await commitRun(attempt, [put(keyOf(context), row, condition), ...closed], ran);
      return await answerOf(context, ran);
    } catch (error) {
      const first = isAppError(error, "stale_version") ? await readRow(attempt) : undefined;
      if (!first || round === maxRounds) throw error;
      if (first.status === "done" && firstAnswerStays(await unsealResult(ctx.tenantId, first), ran)) return replay(context, first);
      // Tried once: a task that is gone must not block the answer.
      taskId = round === 0 ? first.taskId : undefined;
      condition = isUnchanged(first);
    }
  }
}

async function recordInOwnRow(attempt: RequestAttempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  await commitRun(attempt, ran.ownRow ? [ran.ownRow] : [], ran).catch((error: unknown) => {
    if (!isAppError(error, "duplicate")) throw error;
  });
  await ran.afterAudit?.();
  return answerOf(attempt.context, ran);
}

/** Stores an unknown outcome for recovery. After any other failure the request may be sent again. */
export async function recordFailure(attempt: RequestAttempt, code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
  const { context } = attempt;
  const unconfirmed = unconfirmedWriteOf(attempt, code);
  const opensTask = unconfirmed !== undefined && mayOpenTask(attempt);
  const outcome: Outcome = { code, ...(opensTask ? { detail: { taskId: attempt.taskId } } : {}) };
  try {
    await commitOutcome(attempt, unconfirmed ? await unknownOutcomeWrites(attempt, unconfirmed) : failureWrites(attempt), outcome);
  } catch (error) {
    if (isAppError(error, "stale_version")) {
      const first = await readRow(attempt).catch(() => undefined);
      if (first?.status === "done") return replay(context, first);
      await commitOutcome(attempt, [], { code }).catch((failed: unknown) => logUnrecorded(attempt, failed, code));
    } else {
      logUnrecorded(attempt, error, code);
      if (unconfirmed)
        await recordUnknownOutcomeWithoutTransaction(attempt, unconfirmed, code).catch((failed: unknown) =>
          logUnrecorded(attempt, failed, code),
        );
    }
  }
  return failure(context, code, cause);
}

function unconfirmedWriteOf(
  { context: { call, state }, plannedWrite, providerId = "" }: RequestAttempt,
  code: ErrorCode,
): PlannedWrite | undefined {
  if (code !== "ehr_unknown_outcome" || !plannedWrite) return undefined;
  const { platform, officeId } = call;
  return { ...plannedWrite, platform, providerId, patientId: state?.patientId ?? "", ...(officeId ? { officeId } : {}) };
}

/** For staff; not in plain text. */
const interpreterIn = ({ state }: PreparedRun): PlannedWrite => (state?.interpreter ? { interpreter: state.interpreter } : {});
const speakerIn = (context: PreparedRun): Pick<IdempotencyRow, "actsFor"> => {
  const actsFor = actsForOf(context);
  return actsFor ? { actsFor } : {};
};

function failureWrites({ context, snapshot }: RequestAttempt): Write[] {
  const transition = transitionOf(snapshot, "failed");
  if (!transition) return [];
  return [
    transition.nextState !== "absent" && snapshot.row
      ? put(keyOf(context), snapshot.row, transition.condition)
      : remove(keyOf(context), transition.condition),
  ];
}

async function unknownOutcomeWrites(attempt: RequestAttempt, unconfirmed: PlannedWrite): Promise<Write[]> {
  const { context, snapshot, startedRow, taskId } = attempt;
  const transition = transitionOf(snapshot, "outcome unknown");
  const row: IdempotencyRow = {
    ...startedRow,
    ...speakerIn(context),
    ...(context.call.isTest ? {} : { taskId }),
    status: "unknown",
    sealedWrite: await sealPlannedWrite(context.ctx.tenantId, { ...unconfirmed, ...interpreterIn(context) }),
  };
  return [
    put(keyOf(context), row, transition.condition),
    ...(transition.alsoWrites.includes("schedule recovery") ? [recoveryWrite(context)] : []),
    ...(mayOpenTask(attempt) ? [await unconfirmedActionTask(attempt, unconfirmed)] : []),
  ];
}

/** When keys or transactions fail, single writes may still succeed. The staff task is created later by recovery. */
async function recordUnknownOutcomeWithoutTransaction(attempt: RequestAttempt, unconfirmed: PlannedWrite, code: ErrorCode): Promise<void> {
  const { context, snapshot, startedRow } = attempt;
  const taskId = unconfirmedTaskOf(snapshot.row);
  const row: IdempotencyRow = {
    ...{ ...startedRow, ...speakerIn(context), ...(taskId ? { taskId } : {}) },
    ...{ status: "unknown", plannedWrite: unconfirmed },
  };
  await context.ctx.store.writeUnaudited(put(keyOf(context), row, transitionOf(snapshot, "outcome unknown").condition));
  await context.ctx.store.writeUnaudited(recoveryWrite(context));
  await commitOutcome(attempt, [], { code });
}

const mayOpenTask = ({ context: { call }, snapshot }: RequestAttempt): boolean =>
  !call.isTest && transitionOf(snapshot, "outcome unknown").alsoWrites.includes("open task");

const recoveryWrite = ({ ctx, requestKey }: PreparedRun): Write => scheduleRecovery(ctx.tenantId, requestKey, ctx.clock());

const unconfirmedActionTask = ({ context, taskId, providerId }: RequestAttempt, unconfirmed: PlannedWrite): Promise<Write> =>
  taskWrite(context, taskId, { kind: "unconfirmed_action", providerId, about: taskAboutWrite(unconfirmed) });

async function commitRun(attempt: RequestAttempt, writes: Write[], ran: RunResult<unknown>): Promise<void> {
  const { writes: tasks, detail } = await taskWrites(attempt.context, attempt.providerId, ran);
  return commitOutcome(attempt, [...writes, ...tasks], { ...ran, detail: { ...ran.detail, ...detail } });
}

const commitOutcome = ({ context, providerId }: RequestAttempt, writes: Write[], outcome: Outcome): Promise<void> => {
  const actsFor = outcome.actsFor ?? actsForOf(context);
  const { ctx, call, request, startedAtMs } = context;
  return ctx.store.commit(writes, auditEntry(call, startedAtMs, ctx.clock().getTime(), request, { ...outcome, providerId, actsFor }));
};

export function logUnrecorded({ context: { ctx, tool, call } }: RequestAttempt, error: unknown, code?: ErrorCode): void {
  ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
}

const firstRecoverySeconds = 45;
const retentionSeconds = 24 * 3600;

function scheduleRecovery(tenantId: string, idempotencyId: string, now: Date): Write {
  const dueAt = new Date(now.getTime() + firstRecoverySeconds * 1000).toISOString();
  const expiresAt = Math.floor(now.getTime() / 1000) + retentionSeconds;
  return schedule({ kind: "idempotency", tenantId, id: idempotencyId, dueAt, expiresAt });
}
