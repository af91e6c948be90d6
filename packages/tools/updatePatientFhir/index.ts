import { AppError, isAppError } from "@vitaline/core";
import type { Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { countContactChange, uncountContactChange, recordContactChange } from "../patient/contact-changes.ts";
import { defineTool, type Example } from "../sdk/define-tool.ts";
import { patientIdOf } from "../patient/chart.ts";
import type { PlannedWrite, RunResult, Run } from "../sdk/run.ts";
import { isScopedHash, scopedHash } from "../sdk/keyed-hash.ts";
import { type Changed, changePatient, contactFingerprint, isPhoneTypeNeeded } from "./change-patient.ts";
import { Changes, changesIdentity, Input, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import { addressQuestions, contactQuestions, personQuestions, type Questions } from "../speech/questions.ts";

const questions = {
  ...personQuestions,
  ...contactQuestions,
  ...addressQuestions,
  phoneNumber: {
    en: "What's the new phone number, email or address?",
    es: "¿Cuál es el nuevo teléfono, correo o dirección?",
  },
  phoneType: { en: "Is that a cell phone, a home phone or a work phone?", es: "¿Es un celular, un teléfono de casa o uno del trabajo?" },
  preferredContact: {
    en: "Would you rather be reached by phone or by email?",
    es: "¿Prefiere que le contacten por teléfono o por correo?",
  },
} as const satisfies Questions;

const examples: readonly Example<Output>[] = [
  { situation: "One detail was changed", output: { result: "updated", changed: ["phone"] } },
  { situation: "Everything was changed", output: { result: "updated", changed: ["phone", "email", "address", "preference"] } },
  { situation: "The new value is on file already", output: { result: "unchanged" } },
  { situation: "The caller wants to change a name or date of birth", output: { result: "in_person" } },
  { situation: "The limit of changes a day", output: { result: "enough" } },
];

export const updatePatientFhir = defineTool({
  name: "updatePatientFhir",
  description: [
    "Change the verified caller's phone number, email address, postal address or preferred way of contact on file.",
    "Read the new value back to the caller and get a clear yes before calling this; send only what is to change, a partial address is fine.",
    "Needs verifyPatientIdentity at its second level. Names and dates of birth cannot be changed by phone.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "write",
  // The chart's version deduplicates: the EHR refuses a change to another version.
  deduplication: "ownLock",
  level: 2,
  patientRecord: true,
  matter: "contact",
  scopes: ["system/Patient.rus"],
  requests: (input) => (changesIdentity(input) ? [] : ["read Patient", "update Patient"]),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: change,
  recover,
  // The same words again may restore a value that was changed in between.
  isStillValid: async (run, said) => changePatient(await run.chart(), said, run.ctx.clock()).changed.length === 0,
  speak,
  questions,
  examples,
});

const updated = (run: Run, changed: Changed[]): RunResult<Output> => ({
  output: { result: "updated", changed },
  patientId: patientIdOf(run),
  detail: { action: "update" },
});

async function change(run: Run, said: Input): Promise<RunResult<Output>> {
  if (changesIdentity(said)) return { output: { result: "in_person" }, code: "not_doable", patientId: patientIdOf(run) };
  const { supports } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Patient", "update") && !supports("Patient", "patch"))
    throw new AppError("ehr_unsupported", "The record system does not support changing patients.");
  const before = await run.chart();
  requirePhoneType(run, said, before);
  const contacts = contactsIn(said, changePatient(before, said, run.ctx.clock()).changed);
  // Counted first: codes must never go to an unrecorded change.
  if (!(await countContactChange(contactOwner(run), contacts)))
    return { output: { result: "enough" }, code: "too_many_requests", patientId: patientIdOf(run), detail: { action: "update" } };
  return tryChange(run, said, before, true).catch(async (error: unknown) => {
    if (!isAppError(error, "ehr_unknown_outcome")) await uncountContactChange(contactOwner(run), contacts);
    throw error;
  });
}

/** AppError `invalid_arguments` if it is unclear which number is meant. */
function requirePhoneType(run: Run, said: Input, patient: Patient): void {
  if (isPhoneTypeNeeded(patient, said, run.ctx.clock()))
    throw new AppError("invalid_arguments", "Several phone numbers are on file.", {
      fields: { phoneType: "is needed, because several phone numbers are on file" },
    });
}

/** After a concurrent change, tries once more on the new version. */
async function tryChange(run: Run, said: Input, before: Patient, mayRepeat: boolean): Promise<RunResult<Output>> {
  const { after, changed } = changePatient(before, said, run.ctx.clock());
  if (changed.length === 0) return { output: { result: "unchanged" }, patientId: patientIdOf(run), detail: { action: "compare" } };
  if (!mayRepeat) await recordContactChange(contactOwner(run), contactsIn(said, changed));
  run.notePlannedWrite({ changed: changed.join(), mark: fingerprintHash(run, after) });
  try {
    const stored = await run.ehr.change<Patient>(before, after, { signal: run.writeSignal() });
    // Some servers silently drop fields.
    if (fingerprintOf(run, stored) !== fingerprintOf(run, after) && changePatient(stored, said, run.ctx.clock()).changed.length > 0)
      throw new AppError("ehr_invalid", "The record system did not save the change.");
    return updated(run, changed);
  } catch (error) {
    if (!isAppError(error, "ehr_conflict", "ehr_unknown_outcome")) throw error;
    const now = await rereadPatient(run).catch(() => undefined);
    if (now && fingerprintOf(run, now) === fingerprintOf(run, after)) return updated(run, changed);
    if (!now || !mayRepeat || isAppError(error, "ehr_unknown_outcome")) throw error;
    requirePhoneType(run, said, now);
    return tryChange(run, said, now, false);
  }
}

const contactOwner = (run: Run) => ({ ctx: run.ctx, providerId: run.ehr.providerId, patientId: patientIdOf(run) });
const contactsIn = ({ phoneNumber, email }: Input, changed: Changed[]): string[] => [
  ...(changed.includes("phone") && phoneNumber ? [phoneNumber] : []),
  ...(changed.includes("email") && email ? [email] : []),
];

const rereadPatient = (run: Run): Promise<Patient> => run.ehr.read<Patient>("Patient", patientIdOf(run), { signal: run.signal });
const fingerprintOf = (run: Run, patient: Patient): string => contactFingerprint(patient, run.ctx.clock());
const fingerprintParts = (run: Run, patient: Patient): string[] => [patientIdOf(run), fingerprintOf(run, patient)];
const fingerprintHash = (run: Run, patient: Patient): string =>
  scopedHash("contact-changes", run.ctx.tenantId, fingerprintParts(run, patient));

async function recover(run: Run, { changed = "", mark }: PlannedWrite): Promise<RunResult<Output> | undefined> {
  const now = await rereadPatient(run);
  const isDone = isScopedHash(mark, "contact-changes", run.ctx.tenantId, fingerprintParts(run, now));
  return isDone ? updated(run, z.parse(Changes, changed.split(","))) : undefined;
}
