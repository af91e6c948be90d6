import { allDone } from "@vitaline/core";
import { keys, update, type CountRow } from "@vitaline/store";
import { patientOf, type Run } from "../define-tool.ts";
import { hidden } from "../hidden.ts";
import { familyName, firstGiven } from "./names.ts";
import type { Person } from "./person.ts";
import { digitsOf } from "./phones.ts";

export const triesPerCall = 3;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Failed attempts an hour: for one claimed patient, whoever calls; for one caller, whomever they claim to be; and for one key,
 * whatever it says of callers and patients. Anybody who withholds their number can use up a key's failures with a telephone alone, so
 * after these only they and whoever has failed already are refused: honest callers, who get it right at once, go on. A stolen key can
 * make up a number for each guess, so there is an end for everybody, which no telephone reaches; and at no time may one patient be
 * guessed at more often.
 */
const allowedFailures = { patient: 10, caller: 20, key: 200, keyOfFirstTries: 2000 } as const;
type Counted = "patient" | "caller" | "key";

const fewestDigits = 7;
/** What networks put for ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN: the words on the keys of a telephone. */
const noNumbers = new Set(["266696687", "2562533", "7378742833", "86282452253", "8656696"]);

/** The number of a caller; undefined for one that is withheld ("anonymous", ""), which is many callers'. */
export const callerOf = ({ callerNumber = "" }: Pick<Run["call"], "callerNumber">): string | undefined => {
  const digits = digitsOf(callerNumber);
  return digits.length >= fewestDigits && !noNumbers.has(digits) ? digits : undefined;
};

/**
 * Counts an attempt at this patient and by this caller before anything is compared, so that guesses made at once cannot slip
 * through; a key's own count is many calls' work, so it is only read now and raised by `countFailure`.
 * `giveBack` is for the attempt that was no guess.
 */
export async function countAttempt(
  { ctx, call }: Run,
  claim: Person,
): Promise<{ allowed: boolean; giveBack(): Promise<void>; countFailure(): Promise<void> }> {
  const nowMs = ctx.clock().getTime();
  const hour = String(Math.floor(nowMs / hourMs));
  const expiresAt = Math.ceil(nowMs / 1000) + 7200;
  const caller = callerOf(call);
  const subjects: Record<Counted, string[]> = {
    patient: [firstGiven(claim.firstName), familyName(claim.lastName), claim.dateOfBirth],
    // Those without a number are told apart by their calls.
    caller: [caller ?? call.callKey],
    key: [ctx.actor.id],
  };
  const counter = (kind: Counted) => keys.attempts(kind, hidden("attempts", ctx.tenantId, subjects[kind]), hour);
  const add = async (kind: Counted, count: number): Promise<number> =>
    (await ctx.store.note<CountRow>(update(counter(kind), { add: { count }, set: { expiresAt } })))?.count ?? 0;
  const [ofPatient, ofCaller, ofKey] = await allDone([add("patient", 1), add("caller", 1), ctx.store.get<CountRow>(counter("key"))]);
  const isFirstTry = caller !== undefined && ofCaller <= 1;
  const mostOfKey = isFirstTry ? allowedFailures.keyOfFirstTries : allowedFailures.key;
  return {
    allowed: ofPatient <= allowedFailures.patient && ofCaller <= allowedFailures.caller && (ofKey?.count ?? 0) < mostOfKey,
    giveBack: async () => void (await allDone([add("patient", -1), add("caller", -1)])),
    countFailure: async () => void (await add("key", 1)),
  };
}

/** Wrong one-time codes for one patient, whoever calls, and under one key, for whomever: in an hour and in a day. */
const allowedCodes = [
  { of: "patient", name: "hour", ms: hourMs, most: 10 },
  { of: "patient", name: "day", ms: dayMs, most: 20 },
  { of: "key", name: "hour", ms: hourMs, most: 100 },
  { of: "key", name: "day", ms: dayMs, most: 400 },
] as const;

/** Whether another code may be tried, and what counts one that was wrong. One read, and four write units for a wrong code alone. */
export async function codesTried(run: Run): Promise<{ allowed: boolean; countFailure(): Promise<void> }> {
  const { ctx, providerId = "" } = run;
  const nowMs = ctx.clock().getTime();
  const subjects = { patient: [providerId, patientOf(run)], key: [ctx.actor.id] };
  const counters = allowedCodes.map(({ of, name, ms }) => ({
    key: keys.attempts(`code.${of}`, hidden("attempts", ctx.tenantId, ["code", ...subjects[of]]), `${name}.${Math.floor(nowMs / ms)}`),
    expiresAt: Math.ceil((nowMs + 2 * ms) / 1000),
  }));
  const rows: (CountRow | undefined)[] = await ctx.store.batchGet(counters.map(({ key }) => key));
  return {
    allowed: allowedCodes.every(({ most }, at) => (rows[at]?.count ?? 0) < most),
    countFailure: async () =>
      void (await allDone(
        counters.map(({ key, expiresAt }) => ctx.store.note<CountRow>(update(key, { add: { count: 1 }, set: { expiresAt } }))),
      )),
  };
}
