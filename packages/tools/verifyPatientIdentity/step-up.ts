import type { CallStateRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import type { Level } from "../sdk/define-tool.ts";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { countAttempt, triesPerCall } from "./attempts.ts";
import type { Details, Output } from "./schema.ts";
import { distinctFactors, matchedDetails } from "./factors.ts";
import { notFurther, verified } from "./answers.ts";
import { type Person, personMark } from "../patient/person.ts";
import { type Answered, boundMark, remember } from "../patient/binding.ts";

/**
 * Compares one more detail, or several, with the chart of the patient to whom the call is bound: one reading, and the same counters as for a
 * whole claim. A wrong one takes a try and lowers nothing.
 */
export async function verifyFurther(run: Run, details: Details): Promise<Ran<Output>> {
  const { ctx, state, requestKey } = run;
  const patientId = patientOf(run);
  const bound = { patientId, providerId: run.providerId ?? "" };
  const tries = state?.tries ?? 0;
  const before: Level = state?.level ?? 1;
  const mark = boundMark(run, bound);
  const first = state?.answered?.find(({ request }) => request === requestKey);
  if (first?.boundTo === mark) return { ...answerOf(first, before), repeated: true };
  if (tries >= triesPerCall) return notFurther("detail", before, 0);

  const chart = await run.chart();
  const attempt = await countAttempt(run, { ...personIn(run, chart), ...details });
  if (!attempt.allowed) return notFurther("detail", before, 0);
  const matched = matchedDetails(details, chart, ctx.clock());
  const factors = [...new Set([...(state?.factors ?? []), ...(matched ?? [])])];
  const level: Level = before === 2 || distinctFactors(factors) > 1 ? 2 : 1;
  const tried = matched ? tries : tries + 1;
  const answer: Answered = { request: requestKey, level: matched ? level : 0, attemptsLeft: triesPerCall - tried, boundTo: mark };
  const change: Partial<CallStateRow> = matched ? { level, factors } : { tries: tried, level: before };
  return {
    ...answerOf(answer, before),
    patientId,
    afterAudit: async () => {
      await remember(run, answer, change, bound);
      await (matched ? attempt.giveBack() : attempt.countFailure());
    },
  };
}

const answerOf = ({ level, attemptsLeft }: Answered, before: Level): Ran<Output> =>
  level === 0 ? notFurther("detail", before, attemptsLeft) : { output: { ...verified(level, attemptsLeft), further: true } };

/** By the name that was verified, so that guesses count as those of a whole claim do. */
function personIn({ ctx, state }: Run, { name = [], birthDate = "" }: Patient): Person {
  const people = name.map(({ given = [], family = "" }) => ({ firstName: given.join(" "), lastName: family, dateOfBirth: birthDate }));
  const verifiedOne = people.find((one) => personMark(ctx.tenantId, one) === state?.person);
  return verifiedOne ?? people[0] ?? { firstName: "", lastName: "", dateOfBirth: birthDate };
}
