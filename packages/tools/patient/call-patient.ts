import type { ProxyScope } from "@vitaline/contract";
import { ageOn, AppError } from "@vitaline/core";
import { type ActsFor, type CallStateRow, type Condition, keys, update } from "@vitaline/store";
import type { Matter } from "../sdk/define-tool.ts";
import { scopedHashes } from "../sdk/keyed-hash.ts";
import type { Run } from "../sdk/run.ts";

/** The patient that the caller of a call was verified as, and the EHR of the record. */
export type CallPatient = Pick<CallStateRow, "patientId" | "providerId"> & { actsFor?: Pick<ActsFor, "speakerHash"> };

/** Failed attempts to be verified. */
export const maxTriesPerCall = 3;

const stateSeconds = 4 * 3600;
const aboutPatient = ["patientLanguage", "interpreter", "actsFor", "bookingLimit"] as const;
const verificationFields = ["patientId", "providerId", "identityHash", "factors", "verifiedUntilMs", ...aboutPatient] as const;

/** Without a verification that has expired; other writes in the call can outlive it. */
export const withoutExpiredVerification = (state: CallStateRow, nowMs: number): CallStateRow =>
  (state.verifiedUntilMs ?? Infinity) > nowMs ? state : withoutVerification(state);

export function withoutVerification(state: CallStateRow): CallStateRow {
  const ended: CallStateRow = { ...state, level: 0 };
  for (const field of verificationFields) delete ended[field];
  return ended;
}

export type AnsweredAttempt = NonNullable<CallStateRow["identityChecks"]>[number];

/** Keyed hash of the call, its patient and the person who speaks for them. */
export const callPatientHashes = ({ ctx, call }: Run, { providerId = "", patientId = "", actsFor }: CallPatient): string[] =>
  scopedHashes("binding", ctx.tenantId, [call.callKey, providerId, patientId, ...(actsFor ? [actsFor.speakerHash] : [])]);

/** The same throughout a call, whose checks may have been recorded before a rotation of the key. */
export function callPatientHash(run: Run, patient: CallPatient): string {
  const [current = "", ...former] = callPatientHashes(run, patient);
  const checked = new Set(run.state?.identityChecks?.map(({ patientHash }) => patientHash));
  return former.find((hash) => checked.has(hash)) ?? current;
}

/** Whether the call already had this verified patient when the attempt was answered. */
export function isStepUp(state: CallStateRow | undefined, { request, patientHash }: AnsweredAttempt): boolean {
  const answered = state?.identityChecks ?? [];
  const at = answered.findIndex((one) => one.request === request);
  const before = (at < 0 ? answered : answered.slice(0, at)).findLast((one) => one.patientHash !== undefined);
  return patientHash !== undefined && before?.patientHash === patientHash;
}

const asRead = (name: keyof CallStateRow, value: string | number | object | undefined): Condition =>
  value === undefined ? { absent: [name] } : { equals: { [name]: value } };
const allOf = (...all: Condition[]): Condition => ({
  equals: Object.assign({}, ...all.map(({ equals }) => equals)) as object as Record<string, string>,
  absent: [...new Set(all.flatMap(({ absent = [] }) => absent))],
});

const languageOf = ({ namedLanguage }: Run): Partial<CallStateRow> => (namedLanguage ? { language: namedLanguage } : {});
/** Added to what is there, so that requests at the same time lose none. */
const claimsOf = (proxyClaims: readonly string[]) => (proxyClaims.length === 0 ? {} : { add: { proxyClaims: new Set(proxyClaims) } });
const expiryOf = ({ ctx }: Run): number => Math.floor(ctx.clock().getTime() / 1000) + stateSeconds;

/** The call still has its verified patient, and the same person speaks. */
export const isSameCaller = ({ state }: Pick<Run, "state">): Condition =>
  allOf(asRead("patientId", state?.patientId), asRead("providerId", state?.providerId), asRead("actsFor", state?.actsFor), {
    absent: ["callEndedAt"],
  });

/**
 * Records an attempt and the patient it verified; of concurrent attempts, one succeeds. Level 0 removes the patient and their answers.
 * `onlyIf`: the caller that the call must still have; `proxyClaims`: of a claim to speak for someone. AppError `in_progress` if the state
 * has changed.
 */
export async function recordVerification(
  run: Run,
  answer: AnsweredAttempt,
  { tries, level, ...verified }: Partial<Omit<CallStateRow, "proxyClaims">>,
  { onlyIf = {}, proxyClaims = [] }: { onlyIf?: Condition; proxyClaims?: readonly string[] } = {},
): Promise<void> {
  const { ctx, call, state } = run;
  const otherAnswers = (state?.identityChecks ?? []).filter((one) => one.request !== answer.request && (level !== 0 || one.level === 0));
  const answered = [...otherAnswers, answer].slice(-8);
  const nowMs = ctx.clock().getTime();
  const isProven = verified.patientId !== undefined;
  const triesNow = tries ?? state?.tries ?? 0;
  const removed = level === 0 ? verificationFields : isProven ? aboutPatient.filter((field) => verified[field] === undefined) : [];
  const written = await ctx.store.writeUnaudited<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      {
        set: {
          ...verified,
          ...languageOf(run),
          ...(isProven ? { verifiedUntilMs: nowMs + stateSeconds * 1000 } : {}),
          ...(isProven && verified.actsFor === undefined ? { wasVerifiedAsSelf: true } : {}),
          ...(level === undefined ? {} : { level }),
          tries: triesNow,
          identityChecks: answered,
          expiresAt: expiryOf(run),
        },
        ...claimsOf(proxyClaims),
        ...(level === undefined ? { setOnce: { level: 0 } } : {}),
        ...(removed.length > 0 ? { remove: [...removed] } : {}),
      },
      allOf(asRead("tries", state?.tries), proxyClaims.length > 0 ? {} : asRead("proxyClaims", state?.proxyClaims), onlyIf, {
        absent: ["callEndedAt"],
      }),
    ),
  );
  if (!written) throw new AppError("in_progress", "Another attempt in the same call was faster, or the call has ended.");
  run.markLanguageStored();
  cacheCallPatient(ctx.tenantId, call.callKey, written);
}

/** `proxyClaims`: with a new claim to speak for someone. AppError `in_progress` if the state has changed. */
export async function clearVerification(run: Run, proxyClaims: readonly string[]): Promise<void> {
  const { ctx, call, state } = run;
  const answered = (state?.identityChecks ?? []).filter(({ level }) => level === 0);
  const expiry = proxyClaims.length === 0 ? {} : { expiresAt: expiryOf(run) };
  const written = await ctx.store.writeUnaudited<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      {
        set: { level: 0, identityChecks: answered, ...languageOf(run), ...expiry },
        ...claimsOf(proxyClaims),
        remove: [...verificationFields],
      },
      // The row may still have a verification that has expired.
      state?.patientId === undefined ? { absent: ["callEndedAt"] } : isSameCaller(run),
    ),
  );
  if (!written) throw new AppError("in_progress", "The call has ended or is now about another patient.");
  run.markLanguageStored();
  cacheCallPatient(ctx.tenantId, call.callKey, written);
}

/** Records the patients for whom the caller claimed to speak, where the claim could not be checked or recorded otherwise. */
export async function keepProxyClaims(run: Run, proxyClaims: readonly string[]): Promise<void> {
  const { ctx, call } = run;
  const set = { ...languageOf(run), expiresAt: expiryOf(run) };
  const written = await ctx.store.writeUnaudited<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      { set, setOnce: { level: 0 }, ...claimsOf(proxyClaims) },
      { absent: ["callEndedAt"] },
    ),
  );
  if (written) run.markLanguageStored();
}

/** For a call whose caller staff must serve, whether or not a patient was verified before. */
export async function endVerification(run: Run, proxyClaims: readonly string[]): Promise<void> {
  const { ctx, call } = run;
  const written = await ctx.store.writeUnaudited<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      {
        set: { level: 0, ...languageOf(run), expiresAt: expiryOf(run) },
        ...claimsOf(proxyClaims),
        remove: [...verificationFields],
      },
      { absent: ["callEndedAt"] },
    ),
  );
  if (!written) return;
  run.markLanguageStored();
  cacheCallPatient(ctx.tenantId, call.callKey, written);
}

/** Patients last seen by this process: a guess for the first read, always verified. */
const callPatientCache = new Map<string, CallPatient>();
const maxCachedCalls = 5000;

export const cachedCallPatient = (tenantId: string, callKey: string): CallPatient | undefined =>
  callPatientCache.get(`${tenantId}/${callKey}`);

export function cacheCallPatient(tenantId: string, callKey: string, { patientId, providerId, actsFor }: CallPatient): void {
  if (callPatientCache.size >= maxCachedCalls) callPatientCache.clear();
  callPatientCache.set(`${tenantId}/${callKey}`, { patientId, providerId, ...(actsFor ? { actsFor } : {}) });
}

const matters: Record<ProxyScope, readonly Matter[]> = {
  appointments: ["identity", "appointments"],
  no_clinical: ["identity", "appointments", "insurance", "messages", "basics"],
  all: ["identity", "appointments", "insurance", "messages", "basics", "contact", "clinical"],
};

/** Whether the caller may ask for it: everything for the patient, and for a proxy what their scope includes. */
export const isInScope = (actsFor: ActsFor | undefined, matter: Matter): boolean =>
  actsFor === undefined || matters[actsFor.scope].includes(matter);

const adultYears = 18;

export const isMinorOn = (today: string, birthDate: string): boolean => ageOn(today, birthDate) < adultYears;

/** From the tenant's age on, no one but the patient hears a minor's medical record. */
export const scopeForAge = (scope: ProxyScope, age: number, confidentialFrom: number): ProxyScope =>
  scope === "all" && age < adultYears && age >= confidentialFrom ? "no_clinical" : scope;
