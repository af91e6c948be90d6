import { AppError, errorFields, isAppError } from "@vitaline/core";
import type { CallStateRow } from "@vitaline/store";
import { requirePlausibleBirthDate } from "../spoken/birth-date.ts";
import { defineTool } from "../sdk/define-tool.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import {
  type AnsweredAttempt,
  type CallPatient,
  callPatientHash,
  isStepUp,
  recordVerification,
  clearVerification,
} from "../patient/call-patient.ts";
import { dayIn } from "../spoken/local-time.ts";
import { countAttempt, triesPerCall } from "./attempts.ts";
import { checkCode } from "./check-code.ts";
import { type Claim, Input, Output } from "./schema.ts";
import { findMatch, type Match } from "./find-match.ts";
import { distinctFactors } from "./factors.ts";
import { stepUp } from "./step-up.ts";
import { notVerified, speak, verified } from "./answers.ts";
import { sendCode } from "./send-code.ts";

/** For a minor, someone else calls, whose authority cannot be verified. */
const adultYears = 18;

export const verifyPatientIdentity = defineTool({
  name: "verifyPatientIdentity",
  description: [
    "Verify who the caller is before anything about a patient is said or done. Ask for first and last name, date of birth,",
    "and the phone number, zip code, street address or medical record number on file, then call this once with everything the caller said.",
    "A second such detail raises the level of trust: once the caller is verified, call this with that detail alone, without name and birth",
    "date. So does a one-time code: call this with sendCode (sms or email) alone, then with code alone as the caller reads it out. Set callingFor if the call is about someone else.",
    "Never tell the caller which detail was wrong.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: ({ action }) => (action === "claim" || action === "handOver" ? 0 : 1),
  // A claim needs no level; it grants one.
  maxLevel: 0,
  patientRecord: true,
  scopes: ["system/Patient.rs"],
  // A server with $match is asked for that instead.
  requests: ({ action }) =>
    action === "claim" ? ["search Patient"] : action === "sendCode" || action === "further" ? ["read Patient"] : [],
  annotations: { title: "Verify patient identity", readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(run, input) {
    switch (input.action) {
      case "claim":
        return verify(run, input.claim);
      case "further":
        return stepUp(run, input.details);
      case "sendCode":
        return sendCode(run, input.channel);
      case "checkCode":
        return checkCode(run, input.code);
      case "handOver":
        return thenClearVerification(run, handOverResult);
    }
  },
  speak,
});

/** Answered before any search, so it reveals nothing and costs no attempt. */
const handOverResult: RunResult<Output> = {
  output: { verified: false, level: 0, attemptsLeft: 0, about: "somebody_else" },
  code: "identity_locked",
};

async function verify(run: Run, claim: Claim): Promise<RunResult<Output>> {
  const { state, requestKey } = run;
  const tries = state?.tries ?? 0;
  const first = state?.answered?.find(({ request }) => request === requestKey);
  if (first && isStillTrue(run, first)) return { ...answerOf(first, isStepUp(state, first)), isReplay: true };
  if (tries >= triesPerCall) return thenClearVerification(run, notVerified(0));
  const { supports, operation } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Patient", "search-type") && !operation("Patient", "match"))
    throw new AppError("ehr_unsupported", "The record system has no search for patients.");

  requirePlausibleBirthDate(claim.dateOfBirth, run.ctx.clock());
  // Only a patient with this birth date could match, so the claim decides.
  if (isMinor(claim, run)) return thenClearVerification(run, handOverResult);

  const attempt = await countAttempt(run, claim);
  /** A count that stays too high does no harm. */
  const uncount = () => attempt.uncount().catch((error: unknown) => run.ctx.log("warn", "tool.attempt_kept", errorFields(error)));
  if (!attempt.allowed)
    return thenClearVerification(run, { ...notVerified(0), ...(attempt.shouldNotifyStaff ? { task: attemptsTask(claim) } : {}) });
  const match = await findMatch(run, claim).catch(async (error: unknown) => {
    await uncount();
    throw error;
  });
  const [tried, callPatient]: [number, Pick<CallStateRow, "level"> & CallPatient] = match
    ? [tries, callPatientOf(run, match)]
    : [tries + 1, { level: 0 }];
  const answer: AnsweredAttempt = {
    request: requestKey,
    level: callPatient.level,
    attemptsLeft: triesPerCall - tried,
    ...(match ? { boundTo: callPatientHash(run, callPatient) } : {}),
  };
  return {
    ...answerOf(answer, isStepUp(state, answer)),
    ...(match ? { patientId: match.patientId } : {}),
    afterAudit: async () => {
      await recordVerification(run, answer, match ? callPatient : { tries: tried, level: 0 }).catch(async (error: unknown) => {
        if (isAppError(error, "in_progress")) await uncount();
        throw error;
      });
      await (match ? attempt.uncount() : attempt.countFailure());
    },
  };
}

const attemptsTask = ({ firstName, lastName, dateOfBirth }: Claim): RunResult<Output>["task"] => ({
  kind: "identity_attempts",
  about: { name: `${firstName} ${lastName}`, dateOfBirth },
});

const isMinor = ({ dateOfBirth }: Claim, { ctx, timeZone }: Run): boolean => {
  const [year = "", ...rest] = dayIn(timeZone, ctx.clock()).split("-");
  return dateOfBirth > [String(Number(year) - adultYears).padStart(4, "0"), ...rest].join("-");
};

const answerOf = ({ level, attemptsLeft }: AnsweredAttempt, further: boolean): RunResult<Output> =>
  level === 0 ? notVerified(attemptsLeft) : { output: { ...verified(level, attemptsLeft), ...(further ? { further } : {}) } };

/** A failed claim ends the previous identity of the call. */
const thenClearVerification = (run: Run, ran: RunResult<Output>): RunResult<Output> =>
  run.state?.patientId === undefined ? ran : { ...ran, afterAudit: () => clearVerification(run) };

/**
 * A refusal stands for a retry; in a call with a verified patient and without a tool call id it is a new attempt. A success stands while the call has the
 * same verified patient.
 */
const isStillTrue = (run: Run, { level, boundTo }: AnsweredAttempt): boolean =>
  (level === 0 && (Boolean(run.call.toolCallId) || run.state?.patientId === undefined)) ||
  (level > 0 &&
    run.state !== undefined &&
    run.state.level >= level &&
    run.state.providerId === run.ehr.providerId &&
    boundTo === callPatientHash(run, run.state));

/** A second factor may come later; another patient starts over. */
function callPatientOf(
  { state, ehr }: Run,
  { patientId, person, factors, languages }: Match,
): Pick<CallStateRow, "level" | "patientId" | "providerId" | "person" | "factors" | "patientLanguage" | "interpreter"> {
  const known = state?.patientId === patientId && state.providerId === ehr.providerId ? (state.factors ?? []) : [];
  const all = [...new Set([...known, ...factors])];
  return { level: distinctFactors(all) > 1 ? 2 : 1, patientId, providerId: ehr.providerId, person, factors: all, ...languages };
}
