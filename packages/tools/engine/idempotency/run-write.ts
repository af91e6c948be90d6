import { isAppError } from "@vitaline/core";
import type { Run, RunResult } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { startRequest, logUnrecorded, newAttempt, recordAnswer, recordFailure, replay } from "./request-record.ts";
import { readPlannedWrite, unsealResult } from "./sealed-result.ts";
import { executionKeyOf } from "./request-key.ts";
import { decideRequest, type RepeatKind } from "./request-states.ts";
import { errorCodeOf, failure, openRun, type PreparedRun } from "../run/run-context.ts";

/**
 * Runs a write at most once per request and answers every retry with its first answer. After a write was planned, a deadline and an
 * unexpected error mean an unknown outcome. The row's transitions are in request-states.ts.
 */
export async function runWrite(context: PreparedRun): Promise<ToolAnswer> {
  const { ctx, call, requestKey, requestRow, time } = context;
  const nowMs = ctx.clock().getTime();
  const repeatKind = await repeatKindOf(context);
  const decision = decideRequest(requestRow, repeatKind, nowMs);
  if (decision === "wait") return failure(context, "in_progress");
  if (decision === "replay" && requestRow) return replay(context, requestRow);

  const repeatedRequestId = repeatKind === "new_request" ? requestRow?.requestId : requestRow?.repeatOfRequestId;
  const attempt = newAttempt(context, repeatedRequestId, nowMs);
  if (!(await startRequest(attempt))) return failure(context, "in_progress");

  let ran: RunResult<unknown>;
  try {
    const run = await openRun(context, {
      executionKey: executionKeyOf(requestKey, repeatedRequestId),
      notePlannedWrite: (plannedWrite) => (attempt.plannedWrite = plannedWrite),
      ...(requestRow ? { previousRequestId: requestRow.requestId } : {}),
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

/** After an unknown outcome, the EHR is searched before anything is sent again. */
async function recoverOrRun({ ctx, tool, request, requestRow }: PreparedRun, run: Run): Promise<RunResult<unknown>> {
  const plannedWrite = requestRow && requestRow.status !== "done" ? await readPlannedWrite(ctx.tenantId, requestRow) : undefined;
  return (plannedWrite && (await tool.recover(run, plannedWrite))) ?? request.run(run);
}
