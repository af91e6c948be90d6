import type { ErrorCode } from "@vitaline/core";
import type { Intent, RunResult, Run } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { unsealResult, readIntent } from "./sealed-result.ts";
import { executionKeyOf } from "./request-key.ts";
import { newAttempt, claimRequest, recordAnswer, recordFailure, logUnrecorded, replay } from "./request-record.ts";
import { decideArrival, type Meaning } from "./request-states.ts";
import { errorCodeOf, failure, openRun, type RunContext } from "../run/run-context.ts";

/**
 * Runs a write at most once per request and answers every retry with its first answer. The row's transitions are in request-states.ts.
 */
export async function runWrite(work: RunContext): Promise<ToolAnswer> {
  const { ctx, call, requestKey, earlier, time } = work;
  const nowMs = ctx.clock().getTime();
  const meaning = await meaningOf(work);
  const arrival = decideArrival(earlier, meaning, nowMs);
  if (arrival === "wait") return failure("in_progress");
  if (arrival === "replay" && earlier) return replay(work, earlier);

  const after = meaning === "new wish" ? earlier?.requestId : earlier?.after;
  const attempt = newAttempt(work, after, nowMs);
  if (!(await claimRequest(attempt))) return failure("in_progress");

  let ran: RunResult<unknown>;
  try {
    const opened = await openRun(work, (intent) => (attempt.intent = intent));
    attempt.providerId = opened.providerId;
    const previous = earlier ? { previousRequestId: earlier.requestId } : {};
    ran = await time.within(recoverOrRun(work, { ...opened, requestKey: executionKeyOf(requestKey, after), ...previous }));
  } catch (error) {
    return recordFailure(attempt, outcomeCode(errorCodeOf(ctx, call, error), attempt.intent), error);
  }
  try {
    return await recordAnswer(attempt, ran);
  } catch (error) {
    logUnrecorded(attempt, error);
    return ran.code || !attempt.intent ? failure("unavailable") : recordFailure(attempt, "ehr_unknown_outcome");
  }
}

/**
 * With a tool call id, an answered request is a retry; without one, the same words may be a new wish. undefined if the request was not
 * answered. Throws the EHR's errors.
 */
async function meaningOf(work: RunContext): Promise<Meaning | undefined> {
  const { ctx, call, earlier, invocation, time } = work;
  if (earlier?.status !== "done") return undefined;
  if (call.toolCallId) return "again";
  const { code, output } = await unsealResult(ctx.tenantId, earlier);
  if (code || output === undefined) return "try";
  const run = await openRun(work, () => {});
  return (await time.within(invocation.isStillValid(run, output, earlier.startedAtMs))) ? "again" : "new wish";
}

/** After an unknown outcome, the EHR is searched before anything is sent again. */
async function recoverOrRun({ ctx, tool, invocation, earlier }: RunContext, run: Run): Promise<RunResult<unknown>> {
  const intent = earlier && earlier.status !== "done" ? await readIntent(ctx.tenantId, earlier) : undefined;
  return (intent && (await tool.recover(run, intent))) ?? invocation.run(run);
}

/** A deadline after the write was sent means an unknown outcome. */
const outcomeCode = (code: ErrorCode, intent: Intent | undefined): ErrorCode =>
  code === "deadline_exceeded" && intent ? "ehr_unknown_outcome" : code;
