import { AppError, errorFields, isAppError } from "@vitaline/core";
import { chartHash } from "@vitaline/proxies";
import type { ActsFor, CallStateRow } from "@vitaline/store";
import {
  type AnsweredAttempt,
  type CallPatient,
  callPatientHash,
  clearVerification,
  endVerification,
  isStepUp,
  keepProxyClaims,
  recordVerification,
  maxTriesPerCall,
} from "../../patient/call-patient.ts";
import type { Run, RunResult } from "../../sdk/run.ts";
import { spokenLine } from "../../speech/speech-text.ts";
import { tidyText } from "../../nlu/tidy-text.ts";
import { requirePlausibleBirthDate } from "../../nlu/birth-date.ts";
import { notVerified, onHold, verified } from "../answers.ts";
import { countAttempt } from "./attempts.ts";
import { distinctFactors, recordNumbers } from "./factors.ts";
import { findMatch, type Match } from "./find-match.ts";
import type { Claim, Output } from "../schema.ts";
import { heldMark, newClaims } from "./spoken-for.ts";

/** Who speaks for the patient of the claim; "no_one": none who may. `isHeld`: one who may, but staff must take the call. */
export type Speaking = { actsFor?: ActsFor; isHeld?: true } | "no_one";

/**
 * `speaking` is asked also where no patient matches, so that response times reveal nothing. `proxyClaims`: of a claim to speak for someone.
 */
export async function verifyClaim(
  run: Run,
  claim: Claim,
  speaking: (match: Match | undefined) => Promise<Speaking>,
  proxyClaims: readonly string[] = [],
): Promise<RunResult<Output>> {
  const { state, executionKey } = run;
  const tries = state?.tries ?? 0;
  const first = state?.identityChecks?.find(({ request }) => request === executionKey);
  if (first && isStillTrue(run, first)) return { ...answerOf(first, isStepUp(state, first), state?.actsFor, claim), isReplay: true };
  if (tries >= maxTriesPerCall) return thenClearVerification(run, notVerified(0), proxyClaims);
  const { supports, operation } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Patient", "search-type") && !operation("Patient", "match"))
    throw new AppError("ehr_unsupported", "The record system has no search for patients.");
  requirePlausibleBirthDate(claim.dateOfBirth, run.ctx.clock());

  const attempt = await countAttempt(run, claim);
  /** A count that stays too high does no harm. */
  const uncount = () => attempt.uncount().catch((error: unknown) => run.ctx.log("warn", "tool.attempt_kept", errorFields(error)));
  if (!attempt.allowed)
    return thenClearVerification(
      run,
      { ...notVerified(0), ...(attempt.shouldNotifyStaff ? { task: attemptsTask(claim) } : {}) },
      proxyClaims,
    );
  const { match, speaker } = await findMatch(run, claim)
    .then(async (found) => ({ match: found, speaker: await speaking(found) }))
    .catch(async (error: unknown) => {
      await uncount();
      throw error;
    });
  if (match && typeof speaker === "object" && speaker.isHeld) return handOverHeld(run, claim, match, speaker.actsFor, uncount);
  const proven = match && typeof speaker === "object" ? callPatientOf(run, match, speaker.actsFor) : undefined;
  const tried = proven ? tries : tries + 1;
  const answer: AnsweredAttempt = {
    request: executionKey,
    level: proven?.level ?? 0,
    attemptsLeft: maxTriesPerCall - tried,
    ...(proven ? { patientHash: callPatientHash(run, proven) } : {}),
  };
  const isForOther = typeof speaker === "string" || speaker.actsFor !== undefined;
  const claims = isForOther ? newClaims(run, claim, match) : [];
  const change = proven ?? { tries: tried, level: 0 as const };
  return {
    ...answerOf(answer, isStepUp(state, answer), proven?.actsFor, claim),
    ...(match && proven ? { patientId: proven.patientId, actsFor: proven.actsFor, ...chartsOf(run, match) } : {}),
    afterAudit: async () => {
      await recordVerification(run, answer, change, { proxyClaims: claims }).catch(async (error: unknown) => {
        if (isAppError(error, "in_progress")) await uncount();
        throw error;
      });
      await (proven ? attempt.uncount() : attempt.countFailure());
    },
    afterFailure: () => keepClaims(run, claims),
  };
}

const maxCharts = 4;

function chartsOf({ ctx }: Run, { patient }: Match): Pick<RunResult<Output>, "detail"> {
  const numbers = recordNumbers(patient, ctx.clock()).slice(0, maxCharts);
  return numbers.length === 0
    ? {}
    : { detail: { charts: numbers.map((one) => chartHash(ctx.tenantId, one, patient.birthDate ?? "")).join(" ") } };
}

/** No guess, and no try. Staff get one task a call. */
function handOverHeld(
  run: Run,
  claim: Claim,
  match: Match,
  actsFor: ActsFor | undefined,
  uncount: () => Promise<unknown>,
): RunResult<Output> {
  const told = heldMark(run, match);
  const claims = newClaims(run, claim, match, [told]);
  return {
    ...onHold,
    patientId: match.patientId,
    ...(actsFor ? { actsFor } : {}),
    ...(run.state?.proxyClaims?.has(told) ? {} : { task: { kind: "proxy_on_hold" } }),
    afterAudit: async () => {
      await uncount();
      await endVerification(run, claims);
    },
    afterFailure: () => keepClaims(run, claims),
  };
}

const attemptsTask = ({ firstName, lastName, dateOfBirth }: Claim): RunResult<Output>["task"] => ({
  kind: "identity_attempts",
  about: { name: `${firstName} ${lastName}`, dateOfBirth },
});

/** Only a caller who is the patient is thanked by the patient's name. */
const answerOf = (
  { level, attemptsLeft }: AnsweredAttempt,
  further: boolean,
  actsFor: ActsFor | undefined,
  { firstName }: Claim,
): RunResult<Output> => {
  if (level === 0) return notVerified(attemptsLeft);
  const name = actsFor ? undefined : spokenLine(tidyText(firstName));
  return {
    output: { ...verified(level, attemptsLeft, name), ...(further ? { further } : {}), ...(actsFor ? { scope: actsFor.scope } : {}) },
  };
};

/** A failed claim ends the previous identity of the call. `proxyClaims`: of a claim to speak for someone. */
export const thenClearVerification = (run: Run, ran: RunResult<Output>, proxyClaims: readonly string[] = []): RunResult<Output> =>
  proxyClaims.length === 0 && run.state?.patientId === undefined
    ? ran
    : { ...ran, afterAudit: () => clearVerification(run, proxyClaims), afterFailure: () => keepClaims(run, proxyClaims) };

/** Also where nothing else could be recorded. Never throws. */
export async function keepClaims(run: Run, proxyClaims: readonly string[]): Promise<void> {
  if (proxyClaims.length === 0) return;
  await keepProxyClaims(run, proxyClaims).catch((error: unknown) => run.ctx.log("warn", "tool.claim_not_kept", errorFields(error)));
}

/**
 * A refusal stands for a retry; in a call with a verified patient and without a tool call id it is a new attempt. A success stands while the call has the
 * same verified patient.
 */
const isStillTrue = (run: Run, { level, patientHash }: AnsweredAttempt): boolean =>
  (level === 0 && (Boolean(run.call.toolCallId) || run.state?.patientId === undefined)) ||
  (level > 0 &&
    run.state !== undefined &&
    run.state.level >= level &&
    run.state.providerId === run.ehr.providerId &&
    patientHash === callPatientHash(run, run.state));

/** A second factor may come later; another patient starts over, and so does another speaker. */
function callPatientOf(
  { state, ehr }: Run,
  { patientId, person, factors, languages }: Match,
  actsFor: ActsFor | undefined,
): Pick<CallStateRow, "level" | "identityHash" | "factors" | "actsFor" | "patientLanguage" | "interpreter"> &
  Required<Pick<CallPatient, "patientId" | "providerId">> & { level: 1 | 2 } {
  const isSame =
    state?.patientId === patientId && state.providerId === ehr.providerId && state.actsFor?.speakerHash === actsFor?.speakerHash;
  const all = [...new Set([...(isSame ? (state.factors ?? []) : []), ...factors])];
  const level = distinctFactors(all) > 1 ? 2 : 1;
  return {
    level,
    patientId,
    providerId: ehr.providerId,
    identityHash: person,
    factors: all,
    ...languages,
    ...(actsFor ? { actsFor } : {}),
  };
}
