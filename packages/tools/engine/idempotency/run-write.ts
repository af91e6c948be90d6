import { type ErrorCode, errorFields, isAppError, newId } from "@vitaline/core";
import { type IdempotencyRow, keys, put, remove, schedule, type Write } from "@vitaline/store";
import { closeTaskByCall } from "@vitaline/tasks";
import type { PlannedWrite, Run, RunResult, ToolAnswer } from "../../sdk/run.ts";
import { actsForOf, auditEntry, type Outcome, taskWrite, taskWrites } from "../run/audit.ts";
import { answerOf, errorCodeOf, failure, openRun, type PreparedRun } from "../run/run-context.ts";
import {
  decideRequest,
  executionKeyOf,
  firstAnswerStays,
  isUnchanged,
  readPlannedWrite,
  type RepeatKind,
  type RequestSnapshot,
  sealPlannedWrite,
  sealResult,
  taskAboutWrite,
  transitionOf,
  unconfirmedTaskOf,
  unsealResult,
} from "./request-row.ts";

/**
 * Runs a write at most once per request and answers every retry with its first answer. After a write was planned, a deadline and an
 * unexpected error mean an unknown outcome. The row's transitions are in request-row.ts.
 */
export async function runWrite(context: PreparedRun): Promise<ToolAnswer> {
  const { ctx, call, requestKey, requestRow, time } = context;
  const nowMs = ctx.clock().getTime();
  let repeatKind: RepeatKind | undefined;
  try {
    repeatKind = await repeatKindOf(context);
  } catch (error) {
    return failedRepeat(context, error, nowMs);
  }
  const decision = decideRequest(requestRow, repeatKind, nowMs);
  if (decision === "wait") return failure(context, "in_progress");
  if (decision === "replay" && requestRow) return replay(context, requestRow);

  const repeatOfRequestId = repeatKind === "new_request" ? requestRow?.requestId : requestRow?.repeatOfRequestId;
  const attempt = newAttempt(context, repeatOfRequestId, nowMs);
  if (!(await startRequest(attempt))) return failure(context, "in_progress");

  let ran: RunResult<unknown>;
  try {
    const run = await openRun(context, {
      executionKey: executionKeyOf(requestKey, repeatOfRequestId),
      notePlannedWrite: (plannedWrite) => (attempt.plannedWrite = plannedWrite),
      ...(requestRow ? { endedAttemptId: requestRow.requestId } : {}),
    });
    attempt.providerId = run.providerId;
    ran = await time.within(recoverOrRun(context, run));
  } catch (error) {
    const code = errorCodeOf(ctx, call, error);
    const isUnknown = attempt.plannedWrite !== undefined && (code === "deadline_exceeded" || !isAppError(error));
    return recordFailure(attempt, isUnknown ? "ehr_unknown_outcome" : code, error);
  }
  try {
    return await recordAnswer(attempt, ran);
  } catch (error) {
    logUnrecorded(attempt, error);
    return ran.code || !attempt.plannedWrite ? failure(context, "unavailable") : recordFailure(attempt, "ehr_unknown_outcome");
  }
}

/**
 * With a tool call id, an answered request is a retry; without one, the same words may be a new request. undefined if the request was not
 * answered. Throws the EHR's errors.
 */
async function repeatKindOf(context: PreparedRun): Promise<RepeatKind | undefined> {
  const { ctx, call, requestRow, request, time } = context;
  if (requestRow?.status !== "done") return undefined;
  if (call.toolCallId) return "retry";
  const { code, output } = await unsealResult(ctx.tenantId, requestRow);
  if (code || output === undefined) return "new_attempt";
  const run = await openRun(context);
  return (await time.within(request.isStillValid(run, output, requestRow.startedAtMs))) ? "retry" : "new_request";
}

/** The earlier answer stays, for when the EHR can be asked again. */
async function failedRepeat(context: PreparedRun, error: unknown, nowMs: number): Promise<ToolAnswer> {
  const code = errorCodeOf(context.ctx, context.call, error);
  const attempt = newAttempt(context, undefined, nowMs);
  await commitOutcome(attempt, [], { code }).catch((failed: unknown) => logUnrecorded(attempt, failed, code));
  return failure(context, code, error);
}

/** After an unknown outcome, the EHR is searched before anything is sent again. */
async function recoverOrRun({ ctx, tool, request, requestRow }: PreparedRun, run: Run): Promise<RunResult<unknown>> {
  const plannedWrite = requestRow && requestRow.status !== "done" ? await readPlannedWrite(ctx.tenantId, requestRow) : undefined;
  return (plannedWrite && (await tool.recover(run, plannedWrite))) ?? request.run(run);
}

/** More than there are runs of one request at the same time. */
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

/** `repeatOfRequestId`: set if the same words are a new execution. */
function newAttempt(context: PreparedRun, repeatOfRequestId: string | undefined, nowMs: number): RequestAttempt {
  const { ctx, call, tool, request, requestRow: row } = context;
  const startedRow: IdempotencyRow = {
    status: "started",
    tool: tool.name,
    callKey: call.callKey,
    ...(call.isTest ? { isTest: true } : {}),
    startedAtMs: nowMs,
    requestId: ctx.requestId,
    ...(repeatOfRequestId ? { repeatOfRequestId: repeatOfRequestId } : {}),
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
async function startRequest(attempt: RequestAttempt): Promise<boolean> {
  const { context, snapshot, startedRow } = attempt;
  const transition = transitionOf(snapshot, "started");
  if (!transition || (await context.ctx.store.writeUnaudited(put<IdempotencyRow>(keyOf(context), startedRow, transition.condition))))
    return true;
  // The first attempt of this very write may have succeeded with its answer lost.
  const taken = await readRow(attempt);
  return taken?.status === "started" && taken.requestId === startedRow.requestId;
}

async function replay(context: PreparedRun, row: IdempotencyRow): Promise<ToolAnswer> {
  const { code, output } = await unsealResult(context.ctx.tenantId, row);
  return output === undefined ? failure(context, code ?? "unavailable") : answerOf(context, { code, output });
}

/**
 * Stores the result as the answer to every retry, in one commit with the audit row. If another function instance answered first, its answer is
 * returned and this run leaves no trace; see `firstAnswerStays`.
 */
async function recordAnswer(attempt: RequestAttempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  const { context, snapshot, startedRow } = attempt;
  const { ctx } = context;
  if (ran.isReplay) return answerOf(context, ran);
  if (ran.insteadOfIdempotencyRow ?? ran.skipsIdempotencyRow) return recordWithoutIdempotencyRow(attempt, ran);
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

async function recordWithoutIdempotencyRow(attempt: RequestAttempt, ran: RunResult<unknown>): Promise<ToolAnswer> {
  await commitRun(attempt, ran.insteadOfIdempotencyRow ? [ran.insteadOfIdempotencyRow] : [], ran).catch((error: unknown) => {
    if (!isAppError(error, "duplicate")) throw error;
  });
  await ran.afterAudit?.();
  return answerOf(attempt.context, ran);
}

/** Stores an unknown outcome for recovery. After any other failure the request may be sent again. */
async function recordFailure(attempt: RequestAttempt, code: ErrorCode, cause?: unknown): Promise<ToolAnswer> {
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

function logUnrecorded({ context: { ctx, tool, call } }: RequestAttempt, error: unknown, code?: ErrorCode): void {
  ctx.log("error", "tool.unrecorded", { ...errorFields(error), tool: tool.name, callKey: call.callKey, ...(code ? { code } : {}) });
}

const firstRecoverySeconds = 45;
const retentionSeconds = 24 * 3600;

function scheduleRecovery(tenantId: string, idempotencyId: string, now: Date): Write {
  const dueAt = new Date(now.getTime() + firstRecoverySeconds * 1000).toISOString();
  const expiresAt = Math.floor(now.getTime() / 1000) + retentionSeconds;
  return schedule({ kind: "idempotency", tenantId, id: idempotencyId, dueAt, expiresAt });
}
