import { AppError } from "@vitaline/core";
import type { Communication, MedicationRequest, Reference } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import { emergencyLine } from "../speech/red-flags.ts";
import { idIn, requestSystem } from "../sdk/references.ts";
import type { Category, Input } from "./schema.ts";

const categorySystem = "urn:vitaline:communication-category";
const titles: Record<Category, string> = {
  refill_request: "Refill request",
  clinical_question: "Clinical question",
  appointment_request: "Appointment request",
  billing_question: "Billing question",
  callback_request: "Callback request",
  other: "Message from a caller",
};

export const isUrgent = ({ urgency, message }: Input): boolean => urgency === "urgent" || emergencyLine(message) !== undefined;

/** What is sent; the caller's words stand in its payload alone. https://hl7.org/fhir/R4/communication.html */
export async function communicationFor(run: Run, input: Input): Promise<Communication> {
  const { communicateTo } = await run.ehr.strategy({ signal: run.signal });
  const subject = { reference: `Patient/${patientOf(run)}` };
  const title = titles[input.category];
  const common: Communication = {
    resourceType: "Communication",
    identifier: [{ system: requestSystem, value: run.requestKey }],
    status: "completed",
    category: [{ coding: [{ system: categorySystem, code: input.category, display: title }], text: title }],
    priority: isUrgent(input) ? "urgent" : "routine",
    subject,
    sent: run.ctx.clock().toISOString(),
  };
  const text = textOf(input, title);
  if (communicateTo === "patient") {
    const own = practitionerIn((await run.chart()).generalPractitioner ?? []);
    return { ...common, sender: subject, ...(own ? { recipient: [own] } : {}), payload: [{ contentString: text }] };
  }
  const staff = await careGiver(run);
  return {
    ...common,
    sender: staff,
    recipient: [staff],
    payload: [{ contentAttachment: { contentType: "text/plain", title, data: Buffer.from(text, "utf8").toString("base64") } }],
  };
}

/** Staff see at once what it is, that nobody has promised anything, and how it came. */
const textOf = ({ message, medicationName }: Input, title: string): string =>
  [`${title}, taken down by the voice agent in a phone call.`, medicationName && `Medication: ${medicationName}.`, message]
    .filter(Boolean)
    .join("\n");

const maxPrescriptions = 20;
export const prescriberScopes = ["system/MedicationRequest.rs"];

/** Whose desk a message goes to: the patient's own practitioner, else whoever has last prescribed something. AppError `ehr_unsupported` without either. */
async function careGiver(run: Run): Promise<Reference> {
  const own = practitionerIn((await run.chart()).generalPractitioner ?? []) ?? practitionerIn(await prescribers(run));
  if (!own) throw new AppError("ehr_unsupported", "There is no practitioner to whom a message could go.");
  return own;
}

async function prescribers(run: Run): Promise<Reference[]> {
  const { signal } = run;
  const mayAsk = (await run.ehr.capability({ signal })).supports("MedicationRequest", "search-type");
  const ehr = mayAsk ? await openAlso(run, prescriberScopes) : undefined;
  if (!ehr) return [];
  const params = { patient: `Patient/${patientOf(run)}` };
  const found = await ehr.search<MedicationRequest>("MedicationRequest", params, { signal, maxResources: maxPrescriptions });
  return found
    .filter(({ resourceType }) => resourceType === "MedicationRequest")
    .toSorted((a, b) => (b.authoredOn ?? "").localeCompare(a.authoredOn ?? ""))
    .flatMap(({ requester }) => requester ?? []);
}

const practitionerIn = (references: Reference[]): Reference | undefined =>
  references.flatMap(({ reference }): Reference[] => {
    const id = idIn(reference, "Practitioner");
    return id === undefined ? [] : [{ reference: `Practitioner/${id}` }];
  })[0];
