import { createHmac, hkdfSync } from "node:crypto";
import { allDone, envReader } from "@vitaline/core";
import { keys, update, type CountRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { Run } from "../define-tool.ts";
import type { Claim } from "./claim.ts";
import { familyName, firstGiven } from "./names.ts";
import { digitsOf } from "./phones.ts";

const environment = envReader(z.object({ EDGE_SECRET: z.string().check(z.minLength(16)) }));
const hourMs = 3_600_000;

/**
 * Failed attempts an hour: for one claimed patient, whoever calls; for one caller, whomever they claim to be; and for one key,
 * whatever it says of callers and patients: a stolen one can make up both.
 */
const allowedFailures = { patient: 10, caller: 20, key: 200 } as const;
type Counted = keyof typeof allowedFailures;

/** Names and birth dates are few enough to be guessed, so the key holds a keyed hash of them. */
const hidden = (tenantId: string, parts: string[]): string => {
  const key = Buffer.from(hkdfSync("sha256", environment().EDGE_SECRET, "", "vitaline/attempts", 32));
  return createHmac("sha256", key)
    .update(JSON.stringify([tenantId, ...parts]))
    .digest("base64url");
};

const fewestDigits = 7;
/** A number that is withheld ("anonymous", "") is many callers', so these are told apart by their calls. */
const callerOf = ({ callerNumber = "", callKey }: Run["call"]): string => {
  const digits = digitsOf(callerNumber);
  return digits.length >= fewestDigits ? digits : callKey;
};

/**
 * Counts an attempt at this patient and by this caller before anything is compared, so that guesses made at once cannot slip
 * through; a key's own count is many calls' work, so it is only read now and raised by `countFailure`.
 * `giveBack` is for the attempt that was no guess.
 */
export async function countAttempt(
  { ctx, call }: Run,
  claim: Claim,
): Promise<{ allowed: boolean; giveBack(): Promise<void>; countFailure(): Promise<void> }> {
  const nowMs = ctx.clock().getTime();
  const hour = String(Math.floor(nowMs / hourMs));
  const expiresAt = Math.ceil(nowMs / 1000) + 7200;
  const subjects: Record<Counted, string[]> = {
    patient: [firstGiven(claim.firstName), familyName(claim.lastName), claim.dateOfBirth],
    caller: [callerOf(call)],
    key: [ctx.actor.id],
  };
  const counter = (kind: Counted) => keys.attempts(kind, hidden(ctx.tenantId, subjects[kind]), hour);
  const add = async (kind: Counted, count: number): Promise<number> =>
    (await ctx.store.note<CountRow>(update(counter(kind), { add: { count }, set: { expiresAt } })))?.count ?? 0;
  const [ofPatient, ofCaller, ofKey] = await allDone([add("patient", 1), add("caller", 1), ctx.store.get<CountRow>(counter("key"))]);
  return {
    allowed: ofPatient <= allowedFailures.patient && ofCaller <= allowedFailures.caller && (ofKey?.count ?? 0) < allowedFailures.key,
    giveBack: async () => void (await allDone([add("patient", -1), add("caller", -1)])),
    countFailure: async () => void (await add("key", 1)),
  };
}
