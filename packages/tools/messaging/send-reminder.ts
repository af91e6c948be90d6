import { dayIn, type ErrorCode, newId } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import {
  type ProcessedRow,
  enabledChannels,
  isTemporaryFailure,
  minNoticeMs,
  reminderHours,
  reminderTime,
  sendNow,
  type SendResult,
  messageAudit,
  backoffMs,
} from "@vitaline/messages";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { keys, type OutgoingRow, type TenantRow } from "@vitaline/store";
import type { Appointment, Patient } from "fhir/r4.js";
import type { ToolContext } from "../sdk/run.ts";
import { placeOf, placeScopes, toVisit } from "./appointment-visit.ts";
import { orUndefined } from "./send-deferred.ts";
import { contactPointsFor } from "../patient/contact-fields.ts";
import { isMinorOn } from "../patient/call-patient.ts";
import { isConfidential, isOpenChart, referencedId } from "../patient/chart.ts";
import { patientLanguage } from "../patient/patient-language.ts";

export type Reminder = Extract<OutgoingRow, { kind: "reminder" }>;

const scopes = ["system/Patient.rs", "system/Appointment.rs"];
const purpose = "appointment_reminder";

/**
 * First plans the reminder, a day ahead within business hours and not at night; then sends it over the tenant's preferred channel that
 * reaches the patient. Nothing is sent for a cancelled or moved appointment, a closed chart or a minor's confidential visit. Once per
 * channel and appointment time; the next channel only after a failed delivery. Throws the EHR's errors.
 */
export async function sendReminder(ctx: ToolContext, row: Reminder): Promise<ProcessedRow> {
  const [tenant, office] = await ctx.store.batchGet([keys.tenantConfig(), ...(row.officeId ? [keys.office(row.officeId)] : [])]);
  if (!tenant?.isActive) return missedReminder(ctx, row, tenant, "not_doable");
  if (row.sent && !(await wasNotDelivered(ctx, row.sent.messageId))) return { over: true };
  const now = ctx.clock();
  const start = new Date(row.start);
  const hours = reminderHours(hoursOf(tenant, office?.isActive ? office : undefined));
  if (!row.planned) {
    const later = reminderTime(hours, start, now);
    return later ? { later, planned: true } : missedReminder(ctx, row, tenant, "deadline_exceeded");
  }
  const latest = start.getTime() - minNoticeMs;
  const opening = nextOpening(hours, now);
  if (!opening || opening.getTime() > latest) return missedReminder(ctx, row, tenant, "deadline_exceeded");
  if (opening > now) return { later: opening, planned: true };
  const about = await readSubject(ctx, row, tenant, dayIn(hours.timezone, now));
  return about ? sendOverChannels(ctx, row, tenant, about) : missedReminder(ctx, row, tenant, "not_found");
}

type ReminderSubject = { ehr: Ehr; appointment: Appointment; patient: Patient };

/** undefined unless the appointment is still booked as planned, and the patient may be told of it. */
async function readSubject(ctx: ToolContext, row: Reminder, tenant: TenantRow, today: string): Promise<ReminderSubject | undefined> {
  const ehr = await ctx.openEhr(tenant, { officeId: row.officeId, scopes });
  if (ehr.providerId !== row.providerId) return undefined;
  const appointment = await orUndefined(ehr.read<Appointment>("Appointment", row.appointmentId));
  if (
    appointment?.id !== row.appointmentId ||
    appointment.status !== "booked" ||
    Date.parse(appointment.start ?? "") !== Date.parse(row.start)
  )
    return undefined;
  const patients = appointment.participant.flatMap(({ actor }) => referencedId(actor?.reference, "Patient") ?? []);
  const [patientId, ...others] = new Set(patients);
  if (!patientId || others.length > 0) return undefined;
  const patient = await orUndefined(ehr.read<Patient>("Patient", patientId));
  if (patient?.id !== patientId || !isOpenChart(patient)) return undefined;
  // The contacts on a minor's chart may be a parent's.
  if (isConfidential(appointment) && !(patient.birthDate && !isMinorOn(today, patient.birthDate))) return undefined;
  return { ehr, appointment, patient };
}

/** Delivery receipts usually arrive within this time. */
const receiptMs = 15 * 60_000;

async function wasNotDelivered(ctx: ToolContext, messageId: string): Promise<boolean> {
  const message = await ctx.store.get(keys.message(messageId));
  return message?.outcome === "undeliverable" || message?.outcome === "bounced";
}

async function sendOverChannels(
  ctx: ToolContext,
  row: Reminder,
  tenant: TenantRow,
  { ehr, appointment, patient }: ReminderSubject,
): Promise<ProcessedRow> {
  const { officeId, callKey, sent: earlier } = row;
  const openPlaces = () => ctx.openEhr(tenant, { officeId, scopes: placeScopes });
  const place = await placeOf(appointment, { tenant, isNamed: true, openPlaces });
  const visit = toVisit(ehr.providerId, appointment, ctx.clock(), place);
  const language = row.language ?? patientLanguage(patient);
  const tried: SendResult[] = [];
  const ways = enabledChannels(tenant).flatMap((channel) => {
    const [to] = contactPointsFor(patient, channel, ctx.clock());
    return to === undefined || earlier?.tried.includes(channel) ? [] : [{ channel, to }];
  });
  for (const { channel, to } of ways) {
    const sent = await sendNow(ctx, { key: row.id, tenant, officeId, callKey, request: { channel, purpose, to, language, visit } });
    tried.push(sent);
    if (sent.status === "sent" || sent.status === "unknown") break;
  }
  const last = tried.at(-1);
  if (!last) return missedReminder(ctx, row, tenant, "contact_not_on_file", patient.id);
  const tries = (row.tries ?? 0) + 1;
  const mayHaveLeft = last.status === "sent" || last.status === "unknown";
  // One channel may accept it later even if the other refused for good.
  if (!mayHaveLeft && tried.some(isTemporaryFailure))
    return { later: new Date(ctx.clock().getTime() + backoffMs(tries)), planned: true, tries };
  const audit = messageAudit("reminder.send", last, { callKey, officeId, patientId: patient.id, fhirProviderId: ehr.providerId });
  if (!mayHaveLeft || tried.length === ways.length) return { over: true, audit };
  const sent = { messageId: last.id, tried: tried.map(({ channel }) => channel) };
  return { later: new Date(ctx.clock().getTime() + receiptMs), planned: true, sent, audit };
}

function missedReminder(
  ctx: ToolContext,
  { officeId, callKey, providerId: fhirProviderId }: Reminder,
  tenant: TenantRow | undefined,
  code: ErrorCode,
  patientId?: string,
): ProcessedRow {
  const [channel = "sms"] = tenant ? enabledChannels(tenant) : [];
  const sent: SendResult = { id: newId(ctx.clock().getTime()), channel, purpose, status: "failed", code };
  return { over: true, audit: messageAudit("reminder.send", sent, { callKey, officeId, patientId, fhirProviderId }) };
}
