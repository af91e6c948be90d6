import { awaitAllThenThrow } from "@vitaline/core";
import { type CountRow, keys, update } from "@vitaline/store";
import { patientIdOf } from "../../patient/chart.ts";
import type { Run } from "../../sdk/run.ts";
import { scopedHash } from "../../sdk/keyed-hash.ts";
import type { Details } from "../schema.ts";
import { familyNameForms, givenNameForms } from "../../nlu/names.ts";
import type { Person } from "../../patient/person.ts";
import { normalizePhone, normalizeRecordNumber } from "../../nlu/digits.ts";
import { callerOf } from "../../patient/caller-limits.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Limits of failed attempts. Guessed values are counted per EHR across tenants and keys; callers per tenant. The tenant's total blocks
 * only callers who withhold their number or have failed before.
 */
const limits = { claimed: { hour: 10, day: 20, week: 50 }, callerInHour: 20, tenantInHour: 200 } as const;

/** Refused attempts of a day are no guesses and do not count toward the week. */
const weekOf = ({ days }: { days: number[] }): number => days.reduce((sum, day) => sum + Math.min(day, limits.claimed.day), 0);

/**
 * The parts a guesser would keep while varying the rest. Family members share phone and email, so these are counted with the birth date;
 * zip codes and streets are shared by many.
 */
const guessableParts = ({ firstName, lastName, dateOfBirth, phoneNumber, medicalRecordNumber, email }: Person & Details): string[][] => [
  // Covers all forms that may be on file.
  ...givenNameForms(firstName).flatMap((given) => familyNameForms(lastName).map((family) => ["name", given, family])),
  ...(phoneNumber === undefined ? [] : [["phone", normalizePhone(phoneNumber), dateOfBirth]]),
  ...(email === undefined ? [] : [["email", email.trim().toLowerCase(), dateOfBirth]]),
  ...(medicalRecordNumber === undefined ? [] : [["record", normalizeRecordNumber(medicalRecordNumber)]]),
];

/**
 * Counts an attempt before anything is compared, so that concurrent guesses cannot slip through. `uncount` is for an attempt that was no
 * guess; `shouldNotifyStaff` is true once per day or week, for the first attempt above a limit.
 */
export async function countAttempt(
  { ctx, call, ehr, state }: Run,
  claim: Person & Details,
): Promise<{ allowed: boolean; shouldNotifyStaff: boolean; uncount(): Promise<void>; countFailure(): Promise<void> }> {
  const nowMs = ctx.clock().getTime();
  const hour = String(Math.floor(nowMs / hourMs));
  const expiresAt = Math.ceil(nowMs / 1000) + 7200;
  const knownCaller = callerOf(call);
  // MCP requests without a call id count as one caller.
  const callerWithoutNumber = call.platform === "mcp" && state === undefined ? ctx.actor.id : call.callKey;
  const counter = (kind: "caller" | "tenant", subject: string[]) => keys.counter(kind, scopedHash("attempts", ctx.tenantId, subject), hour);
  const [caller, tenant] = [counter("caller", [knownCaller ?? callerWithoutNumber]), counter("tenant", [])];
  const add = async (key: typeof caller, count: number): Promise<number> =>
    (await ctx.store.writeUnaudited<CountRow>(update(key, { add: { count }, set: { expiresAt } })))?.count ?? 0;
  const claimed = guessableParts(claim).map((parts) => scopedHash("attempts", ehr.providerId, parts));
  const [tries, ofCaller, ofTenant] = await awaitAllThenThrow([
    ehr.countAttempts(claimed, new Date(nowMs), 1),
    add(caller, 1),
    ctx.store.get<CountRow>(tenant),
  ]);
  const isFirstTry = knownCaller !== undefined && ofCaller <= 1;
  return {
    allowed:
      tries.every(
        (count) => count.hour <= limits.claimed.hour && count.day <= limits.claimed.day && weekOf(count) <= limits.claimed.week,
      ) &&
      ofCaller <= limits.callerInHour &&
      (isFirstTry || (ofTenant?.count ?? 0) < limits.tenantInHour),
    shouldNotifyStaff: tries.some((count) => {
      const [overDay, overWeek] = [count.day - limits.claimed.day, weekOf(count) - limits.claimed.week];
      return (overDay === 1 && overWeek <= 0) || (overWeek === 1 && overDay <= 0);
    }),
    uncount: async () => void (await awaitAllThenThrow([ehr.countAttempts(claimed, new Date(nowMs), -1), add(caller, -1)])),
    countFailure: async () => void (await add(tenant, 1)),
  };
}

/** Wrong one-time codes per patient, and per API key. */
const allowedCodes = [
  { of: "patient", name: "hour", ms: hourMs, most: 10 },
  { of: "patient", name: "day", ms: dayMs, most: 20 },
  { of: "key", name: "hour", ms: hourMs, most: 100 },
  { of: "key", name: "day", ms: dayMs, most: 400 },
] as const;

/** One read, and four write units for a wrong code. */
export async function countCodeTries(run: Run): Promise<{ allowed: boolean; countFailure(): Promise<void> }> {
  const { ctx, providerId = "" } = run;
  const nowMs = ctx.clock().getTime();
  const subjects = { patient: [providerId, patientIdOf(run)], key: [ctx.actor.id] };
  const counters = allowedCodes.map(({ of, name, ms }) => ({
    key: keys.counter(`code.${of}`, scopedHash("one-time-code", ctx.tenantId, [of, ...subjects[of]]), `${name}.${Math.floor(nowMs / ms)}`),
    expiresAt: Math.ceil((nowMs + 2 * ms) / 1000),
  }));
  const rows: (CountRow | undefined)[] = await ctx.store.batchGet(counters.map(({ key }) => key));
  return {
    allowed: allowedCodes.every(({ most }, at) => (rows[at]?.count ?? 0) < most),
    countFailure: async () =>
      void (await awaitAllThenThrow(
        counters.map(({ key, expiresAt }) => ctx.store.writeUnaudited<CountRow>(update(key, { add: { count: 1 }, set: { expiresAt } }))),
      )),
  };
}
