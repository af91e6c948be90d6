import { type ErrorCode, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { type Attended, type Kept, sendKept, type Waited } from "@vitaline/messages";
import type { Appointment, Patient } from "fhir/r4.js";
import type { ToolContext } from "../sdk/context.ts";
import { isFor } from "../scheduling/appointments.ts";
import { isOpenChart } from "../patient/chart.ts";
import { appointmentScopes } from "./appointment-visit.ts";
import { onFile } from "../patient/contact-points.ts";

/** Sends a message that was kept, if it may still go by what the record system says now. Throws what the EHR throws while it cannot be asked. */
export const sendKeptMessage = (ctx: ToolContext, row: Kept): Promise<Attended> => sendKept(ctx, row, (waited) => lookAgain(ctx, waited));

/** What speaks against sending it: the chart was closed, the contact is not on file any more, or the appointment is not as it was told. */
async function lookAgain(ctx: ToolContext, { tenant, officeId, request, about }: Waited): Promise<ErrorCode | undefined> {
  if (!about) return "ehr_forbidden";
  const { appointmentId, patientId, providerId } = about;
  const ehr = await ctx.openEhr(tenant, { officeId, scopes: ["system/Patient.rs", ...(appointmentId ? appointmentScopes : [])] });
  if (ehr.providerId !== providerId) return "ehr_forbidden";
  const patient = await orNone(ehr.read<Patient>("Patient", patientId));
  if (patient?.id !== patientId || !isOpenChart(patient)) return "ehr_forbidden";
  const isKnown = tenant.policies?.messageAnyContact || onFile(patient, request.channel, ctx.clock()).includes(request.to);
  if (!isKnown) return "contact_not_on_file";
  return appointmentId && !(await standsAsTold(ehr, appointmentId, { patientId, request })) ? "not_found" : undefined;
}

async function standsAsTold(
  ehr: Ehr,
  appointmentId: string,
  { patientId, request: { visit } }: { patientId: string; request: Waited["request"] },
): Promise<boolean> {
  const appointment = await orNone(ehr.read<Appointment>("Appointment", appointmentId));
  return (
    appointment !== undefined &&
    isFor(appointment, patientId) &&
    appointment.status === (visit?.cancelled ? "cancelled" : "booked") &&
    Date.parse(appointment.start ?? "") === Date.parse(visit?.start ?? "")
  );
}

/** What the record system does not have. */
export const orNone = async <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found")) return undefined;
    throw error;
  });
