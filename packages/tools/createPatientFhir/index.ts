import { isAppError } from "@vitaline/core";
import { requirePlausibleBirthDate } from "../nlu/birth-date.ts";
import { tidyText } from "../nlu/tidy-text.ts";
import { defineTool, type Example } from "../sdk/define-tool.ts";
import type { Run, RunResult } from "../sdk/run.ts";
import { withinHourlyLimit } from "../patient/caller-limits.ts";
import { Input, Output } from "./schema.ts";
import { hasRegistration, takenRegistration, takeRegistration } from "./registration-lock.ts";
import { findByExecutionKey, findOrCreate, received } from "./find-or-create.ts";
import { addressQuestions, contactQuestions, personQuestions, type Questions } from "../speech/questions.ts";
import type { Phrasing } from "../sdk/phrasing.ts";

function speak({ result }: Output, { say, offerOffice: office }: Phrasing): string {
  switch (result) {
    case "received":
      return say({
        en: "Thank you, the clinic has your details now, and the office will be in touch to complete the registration. What else can I do for you?",
        es: "Gracias, la clínica ya tiene sus datos, y el consultorio se comunicará con usted para completar el registro. ¿En qué más le puedo ayudar?",
      });
    case "once":
      return say({
        en: `I can only take down one new patient in a call. ${office}`,
        es: `Solo puedo registrar a un paciente nuevo por llamada. ${office}`,
      });
    case "limit":
      return say({
        en: `I can't take down any more new patients at the moment. ${office}`,
        es: `En este momento no puedo registrar a más pacientes nuevos. ${office}`,
      });
    case "unsupported":
      return say({
        en: "I can't register new patients here myself, but I can have the office call you back to do it. Shall I?",
        es: "Yo no puedo registrar pacientes nuevos aquí, pero el consultorio puede llamarle para hacerlo. ¿Le parece bien?",
      });
  }
}

const questions = {
  ...personQuestions,
  ...contactQuestions,
  ...addressQuestions,
  phoneNumber: { en: "What's the best phone number or email to reach you?", es: "¿Cuál es el mejor teléfono o correo para contactarle?" },
  gender: { en: "What gender should I note down?", es: "¿Qué género debo anotar?" },
} as const satisfies Questions;

const examples: readonly Example<Output>[] = [
  { situation: "The clinic has the new patient's details", output: { result: "received" } },
  { situation: "A second new patient in one call", output: { result: "once" } },
  { situation: "The limit of registrations an hour", output: { result: "limit" } },
  { situation: "The record system takes no new patients", output: { result: "unsupported" } },
];

export const createPatientFhir = defineTool({
  name: "createPatientFhir",
  description: [
    "Register a caller who is new to the clinic: first and last name, date of birth, and a phone number or email address;",
    "address and gender if they were said. At most once in a call. It gives access to no record, and the new patient cannot be verified or",
    "book before the clinic's staff have completed the registration: say that the office will be in touch, and do not call",
    "verifyPatientIdentity for it. Never tell a caller whether someone is a patient already.",
    "Where the clinic's system takes no new patients, offer a callback and note it with logRoutingEvent.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "write",
  // A call registers one patient, which it looks up itself.
  deduplication: "ownLock",
  level: 0,
  patientRecord: true,
  scopes: ["system/Patient.crs"],
  requests: ["create Patient", "search Patient"],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: register,
  recover: async (run) => {
    const made = await findByExecutionKey(run);
    return made && { ...received("create", made.id), task: { kind: "registration", about: { action: "create" } } };
  },
  speak,
  questions,
  examples,
});

const replay: RunResult<Output> = { ...received("find"), isReplay: true };
const unsupported: RunResult<Output> = { output: { result: "unsupported" }, code: "ehr_unsupported" };
const once: RunResult<Output> = { output: { result: "once" }, code: "not_doable" };
const limit: RunResult<Output> = { output: { result: "limit" }, code: "too_many_requests" };

/**
 * At most eight write units: the hourly count, the call quota, the person lock, settling, and four for the audit row with its task or
 * lead.
 */
async function register(run: Run, said: Input): Promise<RunResult<Output>> {
  const earlier = takenRegistration(run);
  if (earlier?.settled) return replay;
  const { supports } = await run.ehr.capability({ signal: run.signal });
  // Without a search, an existing patient would get a second chart.
  if (!supports("Patient", "create") || !supports("Patient", "search-type")) return unsupported;
  requirePlausibleBirthDate(said.dateOfBirth, run.ctx.clock());
  if (hasRegistration(run.state) && !earlier) return once;
  if (!(await withinHourlyLimit(run, "registrations"))) return limit;
  const place = await takeRegistration(run);
  if (!place) return once;
  if (place.settled) return replay;
  const { value: leadId = "" } = place;
  try {
    const ran = await findOrCreate(run, said, leadId);
    // After an unknown outcome, the idempotency row must hold the answer.
    const recorded = run.endedAttemptId === undefined ? { skipsIdempotencyRow: true as const } : {};
    const task = ran.insteadOfIdempotencyRow ? {} : { task: registrationTask(said, ran, leadId) };
    return { ...ran, ...recorded, ...task, afterAudit: place.settle };
  } catch (error) {
    if (!isAppError(error, "ehr_unknown_outcome")) await place.release();
    throw error;
  }
}

const registrationTask = ({ firstName, lastName, dateOfBirth, phoneNumber, email }: Input, { detail }: RunResult<Output>, id: string) => ({
  kind: "registration" as const,
  id,
  about: {
    ...(detail?.action ? { action: detail.action } : {}),
    name: tidyText(`${firstName} ${lastName}`),
    dateOfBirth,
    ...(phoneNumber ? { phone: phoneNumber } : {}),
    ...(email ? { email } : {}),
  },
});
