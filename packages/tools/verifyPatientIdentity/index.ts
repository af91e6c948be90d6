import { AppError, errorFields, isAppError } from "@vitaline/core";
import type { CallStateRow } from "@vitaline/store";
import { requireLivingBirth } from "../speech/spoken-date.ts";
import { defineTool } from "../sdk/define-tool.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { type Answered, type Bound, boundMark, isFurther, remember, unbind } from "../patient/binding.ts";
import { dayIn } from "../speech/spoken-time.ts";
import { countAttempt, triesPerCall } from "./attempts.ts";
import { checkCode } from "./check-code.ts";
import { type Claim, Input, Output } from "./schema.ts";
import { findMatch, type Match } from "./find-match.ts";
import { distinctFactors } from "./factors.ts";
import { verifyFurther } from "./step-up.ts";
import { notVerified, speak, verified } from "./answers.ts";
import { sendCode } from "./send-code.ts";

/** Younger ones are spoken for by somebody else, whom a voice agent cannot know to be who they say. */
const adultYears = 18;

export const verifyPatientIdentity = defineTool({
  name: "verifyPatientIdentity",
  description: [
    "Verify who the caller is before anything about a patient is said or done. Ask for first and last name, date of birth,",
    "and the phone number, zip code, street address or medical record number on file, then call this once with everything the caller said.",
    "A second such detail raises the level of trust: once the caller is verified, call this with that detail alone, without name and birth",
    "date. So does a one-time code: call this with sendCode (sms or email) alone, then with code alone as the caller reads it out. Set callingFor if the call is about somebody else.",
    "Never tell the caller which detail was wrong.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: ({ does }) => (does === "claim" || does === "handOver" ? 0 : 1),
  // What it asks for then is what it gives.
  levelAtMost: 0,
  patientRecord: true,
  scopes: ["system/Patient.rs"],
  // A server with a match of its own is asked for that instead of the search.
  requests: ({ does }) => (does === "claim" ? ["search Patient"] : does === "sendCode" || does === "further" ? ["read Patient"] : []),
  annotations: { title: "Verify patient identity", readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(run, input) {
    switch (input.does) {
      case "claim":
        return verify(run, input.claim);
      case "further":
        return verifyFurther(run, input.details);
      case "sendCode":
        return sendCode(run, input.channel);
      case "checkCode":
        return checkCode(run, input.code);
      case "handOver":
        return closing(run, handedOver);
    }
  },
  speak,
});

/** Said before anything is looked for, so that it tells nothing of any record; and no try, as nothing was tried. */
const handedOver: Ran<Output> = {
  output: { verified: false, level: 0, attemptsLeft: 0, about: "somebody_else" },
  code: "identity_locked",
};

async function verify(run: Run, claim: Claim): Promise<Ran<Output>> {
  const { state, requestKey } = run;
  const tries = state?.tries ?? 0;
  const first = state?.answered?.find(({ request }) => request === requestKey);
  if (first && stillHolds(run, first)) return { ...answerOf(first, isFurther(state, first)), repeated: true };
  if (tries >= triesPerCall) return closing(run, notVerified(0));
  const { supports, operation } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Patient", "search-type") && !operation("Patient", "match"))
    throw new AppError("ehr_unsupported", "The record system has no search for patients.");

  requireLivingBirth(claim.dateOfBirth, run.ctx.clock());
  // Only who is on file under this very birth date could match, so the claim says it all.
  if (isMinor(claim, run)) return closing(run, handedOver);

  const attempt = await countAttempt(run, claim);
  /** For an attempt from which the caller has learned nothing; a count that stays too high is no reason to fail. */
  const giveBack = () => attempt.giveBack().catch((error: unknown) => run.ctx.log("warn", "tool.attempt_kept", errorFields(error)));
  if (!attempt.allowed) return closing(run, { ...notVerified(0), ...(attempt.isToTell ? { promise: noticeOf(claim) } : {}) });
  const match = await findMatch(run, claim).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  const [tried, bound]: [number, Pick<CallStateRow, "level"> & Bound] = match ? [tries, boundTo(run, match)] : [tries + 1, { level: 0 }];
  const answer: Answered = {
    request: requestKey,
    level: bound.level,
    attemptsLeft: triesPerCall - tried,
    ...(match ? { boundTo: boundMark(run, bound) } : {}),
  };
  return {
    ...answerOf(answer, isFurther(state, answer)),
    ...(match ? { patientId: match.patientId } : {}),
    afterAudit: async () => {
      await remember(run, answer, match ? bound : { tries: tried, level: 0 }).catch(async (error: unknown) => {
        if (isAppError(error, "in_progress")) await giveBack();
        throw error;
      });
      await (match ? attempt.giveBack() : attempt.countFailure());
    },
  };
}

/** For staff: who so often fails to be one person may be that person, or somebody who wants into the chart. */
const noticeOf = ({ firstName, lastName, dateOfBirth }: Claim): Ran<Output>["promise"] => ({
  kind: "identity_attempts",
  about: { name: `${firstName} ${lastName}`, dateOfBirth },
});

const isMinor = ({ dateOfBirth }: Claim, { ctx, timeZone }: Run): boolean => {
  const [year = "", ...rest] = dayIn(timeZone, ctx.clock()).split("-");
  return dateOfBirth > [String(Number(year) - adultYears).padStart(4, "0"), ...rest].join("-");
};

const answerOf = ({ level, attemptsLeft }: Answered, further: boolean): Ran<Output> =>
  level === 0 ? notVerified(attemptsLeft) : { output: { ...verified(level, attemptsLeft), ...(further ? { further } : {}) } };

/** Whoever does not prove to be who they say is no longer taken for who they were: the answer says level 0, and so it is. */
const closing = (run: Run, ran: Ran<Output>): Ran<Output> =>
  run.state?.patientId === undefined ? ran : { ...ran, afterAudit: () => unbind(run) };

/**
 * A no stays one, but said anew in a call that is bound it is another try; a yes stays only while the call is bound as it says, else the
 * second patient of a call would be taken for the first.
 */
const stillHolds = (run: Run, { level, boundTo: mark }: Answered): boolean =>
  (level === 0 && (Boolean(run.call.toolCallId) || run.state?.patientId === undefined)) ||
  (level > 0 &&
    run.state !== undefined &&
    run.state.level >= level &&
    run.state.providerId === run.ehr.providerId &&
    mark === boundMark(run, run.state));

/** A second factor may come in a later attempt; another patient starts over. */
function boundTo(
  { state, ehr }: Run,
  { patientId, person, factors }: Match,
): Pick<CallStateRow, "level" | "patientId" | "providerId" | "person" | "factors"> {
  const known = state?.patientId === patientId && state.providerId === ehr.providerId ? (state.factors ?? []) : [];
  const all = [...new Set([...known, ...factors])];
  return { level: distinctFactors(all) > 1 ? 2 : 1, patientId, providerId: ehr.providerId, person, factors: all };
}
