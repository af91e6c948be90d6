import { AppError, isAppError } from "@vitaline/core";
import { calendarIdOf, type Visit } from "@vitaline/messages";
import type { Appointment } from "fhir/r4.js";
import { openIfAllowed, type Run } from "../sdk/run.ts";
import { isShownTo, readOwnAppointment, upcomingAppointments } from "../scheduling/appointments.ts";

export const appointmentScopes = ["system/Appointment.rs"];

export const toVisit = (providerId: string, { id = "", start = "", end, status, meta }: Appointment, now: Date): Visit => ({
  calendarId: calendarIdOf(providerId, id),
  start,
  ...(end ? { end } : {}),
  ...(status === "cancelled" ? { cancelled: true as const } : {}),
  revision: Math.floor((meta?.lastUpdated ? Date.parse(meta.lastUpdated) : now.getTime()) / 60_000),
});

/**
 * The patient's appointment by id, also a cancelled one, or else the next one; undefined if there is none. AppError `ehr_not_allowed`,
 * `ehr_unsupported`.
 */
export async function findVisit(run: Run, appointmentId: string | undefined): Promise<{ id: string; visit: Visit } | undefined> {
  const ehr = await openIfAllowed(run, appointmentScopes);
  if (!ehr) throw new AppError("ehr_not_allowed", "The connection does not allow reading appointments.");
  const { supports } = await ehr.capability({ signal: run.signal });
  if (!supports("Appointment", appointmentId ? "read" : "search-type"))
    throw new AppError("ehr_unsupported", "The record system cannot read appointments.");
  await run.chart();
  const now = run.ctx.clock();
  const found = appointmentId ? await readOwnOrUndefined({ ...run, ehr }, appointmentId) : await nextBooked({ ...run, ehr });
  if (!found?.id || !isShownTo(run, found) || !(Date.parse(found.start ?? "") >= now.getTime())) return undefined;
  const isToldOf = found.status === "booked" || found.status === "cancelled";
  return isToldOf ? { id: found.id, visit: toVisit(ehr.providerId, found, now) } : undefined;
}

const nextBooked = async (run: Run): Promise<Appointment | undefined> =>
  (await upcomingAppointments(run)).find((one) => one.status === "booked" && isShownTo(run, one));

const readOwnOrUndefined = (run: Run, appointmentId: string): Promise<Appointment | undefined> =>
  readOwnAppointment(run, appointmentId).catch((error: unknown) => {
    if (isAppError(error, "not_found")) return undefined;
    throw error;
  });
