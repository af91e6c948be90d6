import { dayMs, AppError, isAppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { Communication } from "fhir/r4.js";
import * as z from "zod/mini";
import { defineTool, type Example } from "../sdk/define-tool.ts";
import { isOtherPatients, patientIdOf, patientNameIn, assertMadeForPatient } from "../patient/chart.ts";
import { type PlannedWrite, isRetry, type RunResult, type Run, executionKeyIn, requestSystem } from "../sdk/run.ts";
import { takeQuota } from "../sdk/call-quota.ts";
import { communicationFor, isUrgent, prescriberScopes } from "./communication.ts";
import { categories, type Category, Input, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import type { Questions } from "../speech/questions.ts";

const questions = {
  category: {
    en: "Is this about a refill, an appointment, a bill or a question for the care team?",
    es: "¿Es sobre un resurtido, una cita, una factura o una pregunta para el equipo médico?",
  },
  message: { en: "What would you like me to pass on?", es: "¿Qué desea que les comunique?" },
  medicationName: { en: "Which medication do you need?", es: "¿Qué medicamento necesita?" },
  urgency: { en: "Can this wait, or is it urgent?", es: "¿Puede esperar o es urgente?" },
} as const satisfies Questions;

const examples: readonly Example<Output>[] = [
  ...categories.map((category) => ({
    situation: `Sent: ${category.replaceAll("_", " ")}`,
    output: { result: "sent", category, urgent: false } as const,
  })),
  { situation: "Sent as urgent", output: { result: "sent", category: "clinical_question", urgent: true } },
  { situation: "The limit of messages in a call", output: { result: "limit", category: "other", urgent: false } },
];

export const sendCommunicationFhir = defineTool({
  name: "sendCommunicationFhir",
  description: [
    "Put a verified caller's request before the clinic's staff: a refill, a clinical or billing question, an appointment request, a callback.",
    "A refill is requested with category refill_request and the medicationName that getMedicationHistoryFhir gave; never promise it.",
    "Needs verifyPatientIdentity. If the caller describes an emergency, first tell them to hang up and call 911, then send it as urgent.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "write",
  // The call quota is the claim.
  deduplication: "ownLock",
  level: 1,
  patientRecord: true,
  matter: "messages",
  scopes: ["system/Patient.rs", "system/Communication.crs"],
  optionalScopes: prescriberScopes,
  requests: ["create Communication", "read Patient"],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: send,
  recover,
  runsInEmergency: true,
  isStillValid: async (run, _input, _output, askedAtMs) => isRetry(run, askedAtMs),
  speak,
  questions,
  examples,
});

const maxPerCall = 10;
/** A recovery has no words, as a planned write may be stored in plain text. */
async function sent(
  run: Run,
  category: Category,
  urgent: boolean,
  { message, medicationName }: Partial<Pick<Input, "message" | "medicationName">> = {},
): Promise<RunResult<Output>> {
  const about = {
    ...(await patientNameIn(run)),
    ...(medicationName ? { medication: medicationName } : {}),
    ...(message ? { said: message } : {}),
  };
  return {
    output: { result: "sent", category, urgent },
    patientId: patientIdOf(run),
    detail: { action: category },
    task: { kind: "message", about: { action: category, ...(urgent ? { urgent } : {}), ...about } },
  };
}

async function send(run: Run, input: Input): Promise<RunResult<Output>> {
  if (!(await run.ehr.capability({ signal: run.signal })).supports("Communication", "create"))
    throw new AppError("ehr_unsupported", "The record system does not accept messages.");
  const urgent = isUrgent(input);
  const place = await takeQuota(run, {
    key: keys.callRequests(run.call.callKey, "communications"),
    name: "request",
    limit: maxPerCall,
    lifeMs: dayMs,
  });
  if (!place) return { output: { result: "limit", category: input.category, urgent }, code: "too_many_requests" };
  try {
    return await sendNow(run, input, urgent);
  } catch (error) {
    if (!isAppError(error, "ehr_unknown_outcome")) await place.release();
    throw error;
  }
}

async function sendNow(run: Run, input: Input, urgent: boolean): Promise<RunResult<Output>> {
  const communication = await communicationFor(run, input);
  run.notePlannedWrite({ action: "send", category: input.category, ...(urgent ? { urgent: "yes" } : {}) });
  const ifNoneExist = `identifier=${requestSystem}|${run.executionKey}`;
  try {
    const made = await run.ehr.create<Communication>(communication, { signal: run.writeSignal(), ifNoneExist });
    assertMadeForPatient(run, [made.subject?.reference]);
  } catch (error) {
    if (!isAppError(error, "ehr_unknown_outcome") || !(await wasSent(run).catch(() => false))) throw error;
  }
  return sent(run, input.category, urgent, input);
}

async function recover(run: Run, { category, urgent }: PlannedWrite): Promise<RunResult<Output> | undefined> {
  return (await wasSent(run)) ? sent(run, z.parse(z.enum(categories), category), urgent === "yes") : undefined;
}

/** Of a patient, where the server cannot search by identifier. */
const maxMessages = 1000;

/**
 * Whether this request's message was created. AppError `ehr_unknown_outcome` if messages cannot be searched, or there are more than can
 * be read, so that nothing is sent twice.
 */
async function wasSent(run: Run): Promise<boolean> {
  const { ehr, signal, executionKey } = run;
  const { supports, searchParams } = await ehr.capability({ signal });
  if (!supports("Communication", "search-type")) throw new AppError("ehr_unknown_outcome", "The record system cannot search messages.");
  const byMark = searchParams("Communication").includes("identifier");
  const patient = `Patient/${patientIdOf(run)}`;
  const params: Record<string, string> = byMark ? { identifier: `${requestSystem}|${executionKey}` } : { subject: patient };
  const found = await ehr.search<Communication>("Communication", params, { signal, maxResources: maxMessages });
  if (found.some((one) => executionKeyIn(one) === executionKey && !isOtherPatients(run, [one.subject?.reference]))) return true;
  if (found.length >= maxMessages) throw new AppError("ehr_unknown_outcome", "The patient has more messages than can be searched.");
  return false;
}
