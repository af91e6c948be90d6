import { allDone } from "@vitaline/core";
import { type CountRow, keys, update } from "@vitaline/store";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import type { Details } from "./schema.ts";
import { familyForms, givenForms } from "../speech/names.ts";
import type { Person } from "../patient/person.ts";
import { normalPhone, normalRecordNumber } from "../speech/spoken-digits.ts";
import { callerOf } from "../patient/caller-limits.ts";

export const triesPerCall = 3;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Failed attempts. What is guessed at is counted at the record system, whichever tenant, key or platform was called: the claimed name,
 * whatever birth date is said with it, and each claimed number or address, whatever name is said with it. Callers are counted at the tenant; so is what all callers
 * together have failed, which shuts out only those who withhold their number and those who have failed already: honest callers, who get
 * it right at once, go on.
 */
const most = { claimed: { hour: 10, day: 20, week: 50 }, callerInHour: 20, tenantInHour: 200 } as const;

/** What a day refused is no guess, and must not shut out the rest of the week. */
const weekOf = ({ days }: { days: number[] }): number => days.reduce((sum, day) => sum + Math.min(day, most.claimed.day), 0);

/**
 * What a claim says that a guesser would have to keep while the rest is tried out: the name; the number or address with the birth date,
 * as a family shares them. Zip codes and streets are many people's.
 */
const claimedIn = ({ firstName, lastName, dateOfBirth, phoneNumber, medicalRecordNumber, email }: Person & Details): string[][] => [
  // Whatever form of it is on file, this claim has it among its own.
  ...givenForms(firstName).flatMap((given) => familyForms(lastName).map((family) => ["name", given, family])),
  ...(phoneNumber === undefined ? [] : [["phone", normalPhone(phoneNumber), dateOfBirth]]),
  ...(email === undefined ? [] : [["email", email.trim().toLowerCase(), dateOfBirth]]),
  ...(medicalRecordNumber === undefined ? [] : [["record", normalRecordNumber(medicalRecordNumber)]]),
];

/**
 * Counts an attempt at whom it claims and by this caller before anything is compared, so that guesses made at once cannot slip
 * through; the tenant's own count is many calls' work, so it is only read now and raised by `countFailure`.
 * `giveBack` is for the attempt that was no guess; `isToTell` is true for
 * the first in a day or week that was one too many, which the clinic has to know of.
 */
export async function countAttempt(
  { ctx, call, ehr, state }: Run,
  claim: Person & Details,
): Promise<{ allowed: boolean; isToTell: boolean; giveBack(): Promise<void>; countFailure(): Promise<void> }> {
  const nowMs = ctx.clock().getTime();
  const hour = String(Math.floor(nowMs / hourMs));
  const expiresAt = Math.ceil(nowMs / 1000) + 7200;
  const number = callerOf(call);
  // Requests of an MCP client that name no call are all one caller's.
  const nobody = call.platform === "mcp" && state === undefined ? ctx.actor.id : call.callKey;
  const counter = (kind: "caller" | "tenant", subject: string[]) => keys.attempts(kind, hidden("attempts", ctx.tenantId, subject), hour);
  const [caller, tenant] = [counter("caller", [number ?? nobody]), counter("tenant", [])];
  const add = async (key: typeof caller, count: number): Promise<number> =>
    (await ctx.store.note<CountRow>(update(key, { add: { count }, set: { expiresAt } })))?.count ?? 0;
  const claimed = claimedIn(claim).map((parts) => hidden("attempts", ehr.providerId, parts));
  const [tries, ofCaller, ofTenant] = await allDone([
    ehr.countTries(claimed, new Date(nowMs), 1),
    add(caller, 1),
    ctx.store.get<CountRow>(tenant),
  ]);
  const isFirstTry = number !== undefined && ofCaller <= 1;
  return {
    allowed:
      tries.every((count) => count.hour <= most.claimed.hour && count.day <= most.claimed.day && weekOf(count) <= most.claimed.week) &&
      ofCaller <= most.callerInHour &&
      (isFirstTry || (ofTenant?.count ?? 0) < most.tenantInHour),
    // The first that is too many
    isToTell: tries.some((count) => {
      const [overDay, overWeek] = [count.day - most.claimed.day, weekOf(count) - most.claimed.week];
      return (overDay === 1 && overWeek <= 0) || (overWeek === 1 && overDay <= 0);
    }),
    giveBack: async () => void (await allDone([ehr.countTries(claimed, new Date(nowMs), -1), add(caller, -1)])),
    countFailure: async () => void (await add(tenant, 1)),
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
