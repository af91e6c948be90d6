import { type ErrorCode, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { type ProcessedRow, type DeferredRow, sendDeferred, type PendingMessage } from "@vitaline/messages";
import type { Appointment, Patient } from "fhir/r4.js";
import type { ToolContext } from "../sdk/run.ts";
import { isForPatient } from "../scheduling/appointments.ts";
import { isOpenChart } from "../patient/chart.ts";
import { appointmentScopes } from "./appointment-visit.ts";
import { contactPointsFor } from "../patient/contact-fields.ts";

/** Sends a deferred message if the EHR still permits it. Throws the EHR's errors. */
export const sendDeferredMessage = (ctx: ToolContext, row: DeferredRow): Promise<ProcessedRow> =>
  sendDeferred(ctx, row, (waited) => findObstacle(ctx, waited));

async function findObstacle(ctx: ToolContext, { tenant, officeId, request, about }: PendingMessage): Promise<ErrorCode | undefined> {
  if (!about) return "ehr_forbidden";
  const { appointmentId, patientId, providerId } = about;
  const ehr = await ctx.openEhr(tenant, { officeId, scopes: ["system/Patient.rs", ...(appointmentId ? appointmentScopes : [])] });
  if (ehr.providerId !== providerId) return "ehr_forbidden";
  const patient = await orUndefined(ehr.read<Patient>("Patient", patientId));
  if (patient?.id !== patientId || !isOpenChart(patient)) return "ehr_forbidden";
  const isKnown = tenant.policies?.messageAnyContact || contactPointsFor(patient, request.channel, ctx.clock()).includes(request.to);
  if (!isKnown) return "contact_not_on_file";
  return appointmentId && !(await isAsDescribed(ehr, appointmentId, { patientId, request })) ? "not_found" : undefined;
}

async function isAsDescribed(
  ehr: Ehr,
  appointmentId: string,
  { patientId, request: { visit } }: { patientId: string; request: PendingMessage["request"] },
): Promise<boolean> {
  const appointment = await orUndefined(ehr.read<Appointment>("Appointment", appointmentId));
  return (
    appointment !== undefined &&
    isForPatient(appointment, patientId) &&
    appointment.status === (visit?.cancelled ? "cancelled" : "booked") &&
    Date.parse(appointment.start ?? "") === Date.parse(visit?.start ?? "")
  );
}

export const orUndefined = async <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found")) return undefined;
    throw error;
  });
