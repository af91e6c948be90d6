import type { CallStateRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import type { Level } from "../sdk/define-tool.ts";
import { patientIdOf } from "../patient/chart.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { countAttempt } from "./claim/attempts.ts";
import type { Details, Output } from "./schema.ts";
import { distinctFactors, matchedDetails } from "./claim/factors.ts";
import { notSteppedUp, verified } from "./answers.ts";
import { type Person, isIdentityHash, namesOf } from "../patient/person.ts";
import { type AnsweredAttempt, callPatientHash, isSameCaller, recordVerification, maxTriesPerCall } from "../patient/call-patient.ts";

/**
 * Compares more details with the verified patient's chart: one read, and the counters of a whole claim. A wrong detail costs an attempt but
 * no level.
 */
export async function stepUp(run: Run, details: Details): Promise<RunResult<Output>> {
  const { ctx, state, executionKey } = run;
  const patientId = patientIdOf(run);
  const tries = state?.tries ?? 0;
  const previousLevel: Level = state?.level ?? 1;
  const patientHash = callPatientHash(run, state ?? {});
  const first = state?.identityChecks?.find(({ request }) => request === executionKey);
  if (first?.patientHash === patientHash) return { ...answerOf(first, previousLevel), isReplay: true };
  if (tries >= maxTriesPerCall) return notSteppedUp("detail", previousLevel, 0);

  const chart = await run.chart();
  const attempt = await countAttempt(run, { ...personIn(run, chart), ...details });
  if (!attempt.allowed) return notSteppedUp("detail", previousLevel, 0);
  const matched = matchedDetails(details, chart, ctx.clock());
  const factors = [...new Set([...(state?.factors ?? []), ...(matched ?? [])])];
  const level: Level = previousLevel === 2 || distinctFactors(factors) > 1 ? 2 : 1;
  const tried = matched ? tries : tries + 1;
  const answer: AnsweredAttempt = { request: executionKey, level: matched ? level : 0, attemptsLeft: maxTriesPerCall - tried, patientHash };
  const change: Partial<CallStateRow> = matched ? { level, factors } : { tries: tried, level: previousLevel };
  return {
    ...answerOf(answer, previousLevel),
    patientId,
    afterAudit: async () => {
      await recordVerification(run, answer, change, { onlyIf: isSameCaller(run) });
      await (matched ? attempt.uncount() : attempt.countFailure());
    },
  };
}

const answerOf = ({ level, attemptsLeft }: AnsweredAttempt, previousLevel: Level): RunResult<Output> =>
  level === 0 ? notSteppedUp("detail", previousLevel, attemptsLeft) : { output: { ...verified(level, attemptsLeft), further: true } };

/** The verified name, so that guesses share the counters of a whole claim. */
function personIn({ ctx, state }: Run, chart: Patient): Person {
  const { birthDate: dateOfBirth = "" } = chart;
  const people = namesOf(chart).map((name) => ({ ...name, dateOfBirth }));
  const verifiedOne = people.find((one) => isIdentityHash(state?.identityHash, ctx.tenantId, one));
  return verifiedOne ?? people[0] ?? { firstName: "", lastName: "", dateOfBirth };
}
