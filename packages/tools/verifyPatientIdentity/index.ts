import { AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, update, type CallStateRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { defineTool, type Ran, type Run } from "../define-tool.ts";
import { sentences } from "../sentences.ts";
import { countAttempt } from "./attempts.ts";
import { Claim } from "./claim.ts";
import { isOpenChart, matchedFactors, type Factor } from "./match.ts";

const triesPerCall = 3;
const stateSeconds = 4 * 3600;
const maxCandidates = 20;

const Output = z.object({ verified: z.boolean(), level: z.literal([0, 1, 2]), attemptsLeft: z.number() });
type Output = z.output<typeof Output>;

export const verifyPatientIdentity = defineTool({
  name: "verifyPatientIdentity",
  description: [
    "Verify who the caller is before anything about a patient is said or done. Ask for first and last name, date of birth,",
    "and the phone number, zip code or medical record number on file, then call this once with everything the caller said.",
    "A second such detail raises the level of trust. Never tell the caller which detail was wrong.",
  ].join(" "),
  input: Claim,
  output: Output,
  effect: "read",
  level: 0,
  patientRecord: true,
  scopes: ["system/Patient.rs"],
  annotations: { title: "Verify patient identity", readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: verify,
  speak: ({ verified, level, attemptsLeft }) => {
    if (verified)
      return level === 2 ? "Thank you. You're fully verified. How can I help you?" : "Thank you, you're verified. How can I help you?";
    if (attemptsLeft === 0) return sentences.identity_locked;
    return `${sentences.identity_not_verified} Please check your full name, date of birth and the other details, and tell me them once more.`;
  },
});

async function verify(run: Run, claim: Claim): Promise<Ran<Output>> {
  const { state, requestKey } = run;
  const tries = state?.tries ?? 0;
  const first = state?.answered?.find(({ request }) => request === requestKey);
  if (first) return { ...answerOf(first), repeated: true };
  if (tries >= triesPerCall) return notVerified(0);
  if (!(await run.ehr.capability({ signal: run.signal })).supports("Patient", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for patients.");

  if (claim.dateOfBirth < firstBirth || claim.dateOfBirth > lastBirth(run.ctx.clock()))
    throw new AppError("invalid_arguments", "Nobody alive was born then.", { fields: { dateOfBirth: "with month, day and year" } });

  const attempt = await countAttempt(run, claim);
  /** For an attempt from which the caller has learned nothing; a count that stays too high is no reason to fail. */
  const giveBack = () => attempt.giveBack().catch((error: unknown) => run.ctx.log("warn", "tool.attempt_kept", errorFields(error)));
  if (!attempt.allowed) return notVerified(0);
  const match = await findMatch(run, claim).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  const [tried, bound] = match ? [tries, boundTo(run, match)] : [tries + 1, { level: 0 as const }];
  const answer = { request: requestKey, level: bound.level, attemptsLeft: triesPerCall - tried };
  return {
    ...answerOf(answer),
    ...(match ? { patientId: match.patientId } : {}),
    afterAudit: async () => {
      await remember(run, answer, match ? bound : { tries: tried }).catch(async (error: unknown) => {
        if (isAppError(error, "in_progress")) await giveBack();
        throw error;
      });
      await (match ? attempt.giveBack() : attempt.countFailure());
    },
  };
}

const firstBirth = "1880-01-01";
/** Today, wherever it is latest. */
const lastBirth = (now: Date): string => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);

type Answered = NonNullable<CallStateRow["answered"]>[number];

const answerOf = ({ level, attemptsLeft }: Answered): Ran<Output> =>
  level > 0 ? { output: { verified: true, level, attemptsLeft } } : notVerified(attemptsLeft);
/** The same words and fields whatever did not match, and whether or not there is such a patient. */
const notVerified = (attemptsLeft: number): Ran<Output> => ({
  output: { verified: false, level: 0, attemptsLeft },
  code: attemptsLeft === 0 ? "identity_locked" : "identity_not_verified",
});

type Match = { patientId: string; factors: Factor[] };

/** The one patient who is whom the caller claims to be, in every detail given. Every claim costs one search, whatever comes of it. */
async function findMatch({ ehr, signal, ctx }: Run, claim: Claim): Promise<Match | undefined> {
  const params = {
    // Servers compare names with their apostrophes: "OBrien" finds "O'Brien" only by what both begin with.
    family: initialOf(claim.lastName),
    given: searchable(claim.firstName).split(" ")[0] ?? "",
    birthdate: claim.dateOfBirth,
  };
  const candidates = await ehr.search<Patient>("Patient", params, { signal, maxResources: maxCandidates }).catch((error: unknown) => {
    // A chart that is locked away must look like none.
    if (isAppError(error, "ehr_forbidden", "ehr_not_found")) return [];
    throw error;
  });
  const matches = candidates.flatMap((patient) => {
    const factors = matchedFactors(claim, patient, ctx.clock());
    return factors && patient.id ? [{ patient, patientId: patient.id, factors }] : [];
  });
  const [only, ...others] = matches;
  return only && others.length === 0 && isOpenChart(only.patient) ? { patientId: only.patientId, factors: only.factors } : undefined;
}

const initialOf = (name: string): string => /\p{L}/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);
/** Without the characters that have a meaning in a search. */
const searchable = (name: string): string => name.replace(/[,$|\\]+/g, " ").trim();

/** A second factor may come in a later attempt; another patient starts over. */
function boundTo({ state, ehr }: Run, { patientId, factors }: Match): Pick<CallStateRow, "level" | "patientId" | "providerId" | "factors"> {
  const known = state?.patientId === patientId && state.providerId === ehr.providerId ? (state.factors ?? []) : [];
  const all = [...new Set([...known, ...factors])];
  return { level: all.length > 1 ? 2 : 1, patientId, providerId: ehr.providerId, factors: all };
}

/** Of attempts made at once in one call only one counts and is answered; the others learn nothing. */
async function remember({ ctx, call, state }: Run, answer: Answered, { tries, level, ...bound }: Partial<CallStateRow>): Promise<void> {
  const answered = [...(state?.answered ?? []), answer].slice(-8);
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + stateSeconds;
  const triesNow = tries ?? state?.tries ?? 0;
  const written = await ctx.store.note<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      {
        set: { ...bound, ...(level === undefined ? {} : { level }), tries: triesNow, answered, expiresAt },
        ...(level === undefined ? { setOnce: { level: 0 } } : {}),
      },
      state?.tries === undefined ? { absent: ["tries", "closedAt"] } : { equals: { tries: state.tries }, absent: ["closedAt"] },
    ),
  );
  if (!written) throw new AppError("in_progress", "Another attempt in the same call was faster, or the call has ended.");
}
