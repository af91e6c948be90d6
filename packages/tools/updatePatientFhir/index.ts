import { AppError, isAppError } from "@vitaline/core";
import type { Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { countContactChange, giveBackContactChange, noteChangedContact } from "../patient/contact-changes.ts";
import { defineTool } from "../sdk/define-tool.ts";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Intent, Ran, Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import { inList } from "../speech/speech-text.ts";
import { type Changed, changedPatient, contactLine } from "./change-patient.ts";
import { Changes, changesIdentity, Input, Output } from "./schema.ts";

const spoken: Record<Changed, string> = {
  phone: "your phone number",
  email: "your email address",
  address: "your address",
  preference: "how you'd like to be reached",
};

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
  // The version of the chart is the claim: a change of another version is refused by the record system itself.
  claim: "own",
  level: 2,
  patientRecord: true,
  scopes: ["system/Patient.rus"],
  requests: (input) => (changesIdentity(input) ? [] : ["read Patient", "update Patient"]),
  annotations: { title: "Update contact details", readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: change,
  recover,
  // The same words again may put back what was changed meanwhile.
  stands: async (run, said) => changedPatient(await run.chart(), said, run.ctx.clock()).changed.length === 0,
  speak: (output) => {
    if (output.result === "in_person")
      return "A name or a date of birth can't be changed over the phone; the office needs to see your ID for that. I can change your phone number, email or address, or connect you with the office.";
    if (output.result === "enough")
      return "Your phone number and email have been changed several times today, so I can't change them again by phone. I can connect you with the office.";
    if (output.result === "unchanged") return "That's what we have on file already, so there is nothing to change.";
    return `Done, I've changed ${inList(
      output.changed.map((what) => spoken[what]),
      { most: Infinity },
    )} on file. If anything about that isn't right, please tell me now.`;
  },
});

const updated = (run: Run, changed: Changed[]): Ran<Output> => ({
  output: { result: "updated", changed },
  patientId: patientOf(run),
  detail: { action: "update" },
});

async function change(run: Run, said: Input): Promise<Ran<Output>> {
  if (changesIdentity(said)) return { output: { result: "in_person" }, code: "not_doable", patientId: patientOf(run) };
  const { supports } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Patient", "update") && !supports("Patient", "patch"))
    throw new AppError("ehr_unsupported", "The record system takes no changes of patients.");
  const before = await run.chart();
  const contacts = contactsIn(said, changedPatient(before, said, run.ctx.clock()).changed);
  // Before anything is sent: a contact point must never be on file for codes without this.
  if (!(await countContactChange(whoIn(run), contacts)))
    return { output: { result: "enough" }, code: "too_many_requests", patientId: patientOf(run), detail: { action: "update" } };
  return attempt(run, said, before, true).catch(async (error: unknown) => {
    if (!isAppError(error, "ehr_unknown_outcome")) await giveBackContactChange(whoIn(run), contacts);
    throw error;
  });
}

/** Makes the change on the version that was read; when somebody else was faster, once more on theirs. */
async function attempt(run: Run, said: Input, before: Patient, mayRepeat: boolean): Promise<Ran<Output>> {
  const { after, changed } = changedPatient(before, said, run.ctx.clock());
  if (changed.length === 0) return { output: { result: "unchanged" }, patientId: patientOf(run), detail: { action: "update" } };
  if (!mayRepeat) await noteChangedContact(whoIn(run), contactsIn(said, changed));
  run.intend({ changed: changed.join(), mark: markOf(run, after) });
  try {
    const stored = await run.ehr.change<Patient>(before, after, { signal: run.writeSignal() });
    // Some servers leave out in silence what they do not take.
    if (lineOf(run, stored) !== lineOf(run, after) && changedPatient(stored, said, run.ctx.clock()).changed.length > 0)
      throw new AppError("ehr_invalid", "The record system has not taken the change.");
    return updated(run, changed);
  } catch (error) {
    if (!isAppError(error, "ehr_conflict", "ehr_unknown_outcome")) throw error;
    const now = await readAnew(run).catch(() => undefined);
    if (now && lineOf(run, now) === lineOf(run, after)) return updated(run, changed);
    if (!now || !mayRepeat || isAppError(error, "ehr_unknown_outcome")) throw error;
    return attempt(run, said, now, false);
  }
}

const whoIn = (run: Run) => ({ ctx: run.ctx, providerId: run.ehr.providerId, patientId: patientOf(run) });
const contactsIn = ({ phoneNumber, email }: Input, changed: Changed[]): string[] => [
  ...(changed.includes("phone") && phoneNumber ? [phoneNumber] : []),
  ...(changed.includes("email") && email ? [email] : []),
];

const readAnew = (run: Run): Promise<Patient> => run.ehr.read<Patient>("Patient", patientOf(run), { signal: run.signal });
const lineOf = (run: Run, patient: Patient): string => contactLine(patient, run.ctx.clock());
const markOf = (run: Run, patient: Patient): string => hidden("contact-changes", run.ctx.tenantId, [patientOf(run), lineOf(run, patient)]);

async function recover(run: Run, { changed = "", mark }: Intent): Promise<Ran<Output> | undefined> {
  const now = await readAnew(run);
  return markOf(run, now) === mark ? updated(run, z.parse(Changes, changed.split(","))) : undefined;
}
