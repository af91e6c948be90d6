import type { ErrorCode } from "@vitaline/core";
import type { Intent, Ran, Run } from "../../sdk/run.ts";
import type { ToolAnswer } from "../../sdk/context.ts";
import { firstAnswerOf, intentIn } from "./sealed-result.ts";
import { wishKeyOf } from "./request-key.ts";
import { attemptOf, claimRequest, keepAnswer, keepFailure, logUnrecorded, replay } from "./request-record.ts";
import { arrivalAt, type Meaning } from "./request-states.ts";
import { codeOf, failure, openRun, type Work } from "../run/run-context.ts";

/**
 * Runs a tool that changes something: at most once per request, and with its first answer for every repetition. What becomes of the
 * request's row is the table of request-states.ts.
 */
export async function runWrite(work: Work): Promise<ToolAnswer> {
  const { ctx, call, requestKey, earlier, time } = work;
  const nowMs = ctx.clock().getTime();
  const meaning = await meaningOf(work);
  const arrival = arrivalAt(earlier, meaning, nowMs);
  if (arrival === "wait") return failure("in_progress");
  if (arrival === "replay" && earlier) return replay(work, earlier);

  const after = meaning === "new wish" ? earlier?.requestId : earlier?.after;
  const attempt = attemptOf(work, after, nowMs);
  if (!(await claimRequest(attempt))) return failure("in_progress");

  let ran: Ran<unknown>;
  try {
    const opened = await openRun(work, (intent) => (attempt.intent = intent));
    attempt.providerId = opened.providerId;
    const tried = earlier ? { triedBy: earlier.requestId } : {};
    ran = await time.within(outcomeOf(work, { ...opened, requestKey: wishKeyOf(requestKey, after), ...tried }));
  } catch (error) {
    return keepFailure(attempt, outcomeCode(codeOf(ctx, call, error), attempt.intent), error);
  }
  try {
    return await keepAnswer(attempt, ran);
  } catch (error) {
    logUnrecorded(attempt, error);
    return ran.code || !attempt.intent ? failure("unavailable") : keepFailure(attempt, "ehr_unknown_outcome");
  }
}

/**
 * What the same request means once it was answered: with an id of the tool call it is the same again; without one the same words may be
 * a new wish. undefined for one that was not answered. Throws what the EHR throws.
 */
async function meaningOf(work: Work): Promise<Meaning | undefined> {
  const { ctx, call, earlier, invocation, time } = work;
  if (earlier?.status !== "done") return undefined;
  if (call.toolCallId) return "again";
  const { code, output } = await firstAnswerOf(ctx.tenantId, earlier);
  if (code || output === undefined) return "try";
  const run = await openRun(work, () => {});
  return (await time.within(invocation.stands(run, output, earlier.startedAtMs))) ? "again" : "new wish";
}

/** After an unknown outcome the record system is searched before anything is sent again. */
async function outcomeOf({ ctx, tool, invocation, earlier }: Work, run: Run): Promise<Ran<unknown>> {
  const intent = earlier && earlier.status !== "done" ? await intentIn(ctx.tenantId, earlier) : undefined;
  return (intent && (await tool.recover(run, intent))) ?? invocation.run(run);
}

/** Once a write was on its way, running out of time means not knowing. */
const outcomeCode = (code: ErrorCode, intent: Intent | undefined): ErrorCode =>
  code === "deadline_exceeded" && intent ? "ehr_unknown_outcome" : code;
