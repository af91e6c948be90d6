import { type ErrorCode, newId } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import {
  type Attended,
  channelsOf,
  isPassing,
  latestBeforeMs,
  reminderTime,
  sendNow,
  type Sent,
  sentAudit,
  waitMs,
} from "@vitaline/messages";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { keys, type OutgoingRow, type TenantRow } from "@vitaline/store";
import type { Appointment, Patient } from "fhir/r4.js";
import type { ToolContext } from "../sdk/context.ts";
import { visitFrom } from "./appointment-visit.ts";
import { orNone } from "./send-deferred.ts";
import { onFile } from "../patient/contact-points.ts";
import { idIn } from "../sdk/references.ts";
import { isOpenChart } from "../patient/chart.ts";

export type Reminder = Extract<OutgoingRow, { kind: "reminder" }>;

const scopes = ["system/Patient.rs", "system/Appointment.rs"];
const purpose = "appointment_reminder";

/**
 * Sees to the reminder of an appointment: first finds its time, a day before within business hours, and then sends it in the way that
 * the tenant likes best and the patient can be reached by. Nothing is sent of an appointment that was cancelled or moved, nor to a
 * chart that is closed; the record system is asked at that very moment. Once in each way for an appointment and its time; in the next
 * way only where the one before is known not to have arrived.
 * Throws what the EHR throws while it cannot be asked.
 */
export async function sendReminder(ctx: ToolContext, row: Reminder): Promise<Attended> {
  const [tenant, office] = await ctx.store.batchGet([keys.tenantConfig(), ...(row.officeId ? [keys.office(row.officeId)] : [])]);
  if (!tenant?.isActive) return missed(ctx, row, tenant, "not_doable");
  if (row.sent && !(await hasFailed(ctx, row.sent.messageId))) return { over: true };
  const now = ctx.clock();
  const start = new Date(row.start);
  const hours = hoursOf(tenant, office?.isActive ? office : undefined);
  if (!row.planned) {
    const later = reminderTime(hours, start, now);
    return later ? { later, planned: true } : missed(ctx, row, tenant, "deadline_exceeded");
  }
  const latest = start.getTime() - latestBeforeMs;
  const opening = nextOpening(hours, now);
  if (!opening || opening.getTime() > latest) return missed(ctx, row, tenant, "deadline_exceeded");
  if (opening > now) return { later: opening, planned: true };
  const about = await readAbout(ctx, row, tenant);
  return about ? remind(ctx, row, tenant, about) : missed(ctx, row, tenant, "not_found");
}

type About = { ehr: Ehr; appointment: Appointment; patient: Patient };

/** The appointment and whose it is, if it still takes place as it was booked. */
async function readAbout(ctx: ToolContext, row: Reminder, tenant: TenantRow): Promise<About | undefined> {
  const ehr = await ctx.openEhr(tenant, { officeId: row.officeId, scopes });
  if (ehr.providerId !== row.providerId) return undefined;
  const appointment = await orNone(ehr.read<Appointment>("Appointment", row.appointmentId));
  if (
    appointment?.id !== row.appointmentId ||
    appointment.status !== "booked" ||
    Date.parse(appointment.start ?? "") !== Date.parse(row.start)
  )
    return undefined;
  const patients = appointment.participant.flatMap(({ actor }) => idIn(actor?.reference, "Patient") ?? []);
  const [patientId, ...others] = new Set(patients);
  if (!patientId || others.length > 0) return undefined;
  const patient = await orNone(ehr.read<Patient>("Patient", patientId));
  return patient?.id === patientId && isOpenChart(patient) ? { ehr, appointment, patient } : undefined;
}

/** By then a carrier has mostly said whether a text arrived. */
const receiptMs = 15 * 60_000;

/** Whether it is known that a message did not arrive: a text to a landline, a mail to an address that is none. */
async function hasFailed(ctx: ToolContext, messageId: string): Promise<boolean> {
  const message = await ctx.store.get(keys.message(messageId));
  return message?.outcome === "undeliverable" || message?.outcome === "bounced";
}

async function remind(ctx: ToolContext, row: Reminder, tenant: TenantRow, { ehr, appointment, patient }: About): Promise<Attended> {
  const { officeId, callKey, sent: earlier } = row;
  const visit = visitFrom(ehr.providerId, appointment, ctx.clock());
  const tried: Sent[] = [];
  const ways = channelsOf(tenant).flatMap((channel) => {
    const [to] = onFile(patient, channel, ctx.clock());
    return to === undefined || earlier?.tried.includes(channel) ? [] : [{ channel, to }];
  });
  for (const { channel, to } of ways) {
    const sent = await sendNow(ctx, { key: row.id, tenant, officeId, callKey, request: { channel, purpose, to, visit } });
    tried.push(sent);
    if (sent.status === "sent" || sent.status === "unknown") break;
  }
  const last = tried.at(-1);
  if (!last) return missed(ctx, row, tenant, "contact_not_on_file", patient.id);
  const tries = (row.tries ?? 0) + 1;
  const mayHaveLeft = last.status === "sent" || last.status === "unknown";
  // What one way does not take for now may go by it later, whatever the other way says for good.
  if (!mayHaveLeft && tried.some(isPassing)) return { later: new Date(ctx.clock().getTime() + waitMs(tries)), planned: true, tries };
  const audit = sentAudit("reminder.send", last, { callKey, officeId, patientId: patient.id, fhirProviderId: ehr.providerId });
  if (!mayHaveLeft || tried.length === ways.length) return { over: true, audit };
  const sent = { messageId: last.id, tried: tried.map(({ channel }) => channel) };
  return { later: new Date(ctx.clock().getTime() + receiptMs), planned: true, sent, audit };
}

/** Nobody is reminded, and the clinic can see why. */
function missed(
  ctx: ToolContext,
  { officeId, callKey, providerId: fhirProviderId }: Reminder,
  tenant: TenantRow | undefined,
  code: ErrorCode,
  patientId?: string,
): Attended {
  const [channel = "sms"] = tenant ? channelsOf(tenant) : [];
  const sent: Sent = { id: newId(ctx.clock().getTime()), channel, purpose, status: "failed", code };
  return { over: true, audit: sentAudit("reminder.send", sent, { callKey, officeId, patientId, fhirProviderId }) };
}
