import { AppError } from "@vitaline/core";
import type { ProxyRelationship } from "@vitaline/contract";
import type { Communication, MedicationRequest, Reference } from "fhir/r4.js";
import { patientIdOf, referencedId } from "../patient/chart.ts";
import { openIfAllowed, requestSystem, type Run } from "../sdk/run.ts";
import { findEmergency } from "../emergency/find-emergency.ts";
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

export const isUrgent = ({ urgency, message }: Input): boolean => urgency === "urgent" || findEmergency(message) !== undefined;

/** The caller's words go only into the payload. https://hl7.org/fhir/R4/communication.html */
export async function communicationFor(run: Run, input: Input): Promise<Communication> {
  const { communicateTo } = await run.ehr.behavior({ signal: run.signal });
  const subject = { reference: `Patient/${patientIdOf(run)}` };
  const title = titles[input.category];
  const common: Communication = {
    resourceType: "Communication",
    identifier: [{ system: requestSystem, value: run.executionKey }],
    status: "completed",
    category: [{ coding: [{ system: categorySystem, code: input.category, display: title }], text: title }],
    priority: isUrgent(input) ? "urgent" : "routine",
    subject,
    sent: run.ctx.clock().toISOString(),
  };
  const text = textOf(run, input, title);
  if (communicateTo === "patient") {
    const own = firstPractitioner((await run.chart()).generalPractitioner ?? []);
    return { ...common, sender: subject, ...(own ? { recipient: [own] } : {}), payload: [{ contentString: text }] };
  }
  const staff = await findRecipient(run);
  return {
    ...common,
    sender: staff,
    recipient: [staff],
    payload: [{ contentAttachment: { contentType: "text/plain", title, data: Buffer.from(text, "utf8").toString("base64") } }],
  };
}

const speakers: Record<ProxyRelationship, string> = {
  parent: "a parent",
  guardian: "a guardian",
  representative: "a legal representative",
  spouse: "the spouse",
  relative: "a relative",
  caregiver: "a caregiver",
};

const textOf = ({ call, state }: Run, { message, medicationName }: Input, title: string): string => {
  const speaker = state?.actsFor ? ` with ${speakers[state.actsFor.relationship]} of the patient` : "";
  const source = call.isTest ? "made in a test call; no patient has called" : `taken down by the voice agent in a phone call${speaker}`;
  return [`${title}, ${source}.`, medicationName && `Medication: ${medicationName}.`, message].filter(Boolean).join("\n");
};

const maxPrescriptions = 20;
export const prescriberScopes = ["system/MedicationRequest.rs"];

/** The patient's own practitioner, else the last prescriber. AppError `ehr_unsupported` without either. */
async function findRecipient(run: Run): Promise<Reference> {
  const own = firstPractitioner((await run.chart()).generalPractitioner ?? []) ?? firstPractitioner(await prescribers(run));
  if (!own) throw new AppError("ehr_unsupported", "The patient has no practitioner to receive the message.");
  return own;
}

async function prescribers(run: Run): Promise<Reference[]> {
  const { signal } = run;
  const mayAsk = (await run.ehr.capability({ signal })).supports("MedicationRequest", "search-type");
  const ehr = mayAsk ? await openIfAllowed(run, prescriberScopes) : undefined;
  if (!ehr) return [];
  const params = { patient: `Patient/${patientIdOf(run)}` };
  const found = await ehr.search<MedicationRequest>("MedicationRequest", params, { signal, maxResources: maxPrescriptions });
  return found
    .filter(({ resourceType }) => resourceType === "MedicationRequest")
    .toSorted((a, b) => (b.authoredOn ?? "").localeCompare(a.authoredOn ?? ""))
    .flatMap(({ requester }) => requester ?? []);
}

const firstPractitioner = (references: Reference[]): Reference | undefined =>
  references.flatMap(({ reference }): Reference[] => {
    const id = referencedId(reference, "Practitioner");
    return id === undefined ? [] : [{ reference: `Practitioner/${id}` }];
  })[0];
