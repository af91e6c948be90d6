import { AppError, isAppError } from "@vitaline/core";
import { calendarIdOf, type Visit } from "@vitaline/messages";
import type { Appointment } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import { readOwn, upcoming } from "../scheduling/appointments.ts";

export const appointmentScopes = ["system/Appointment.rs"];

/** An appointment as messages tell of it. */
export const visitFrom = (providerId: string, { id = "", start = "", end, status, meta }: Appointment, now: Date): Visit => ({
  calendarId: calendarIdOf(providerId, id),
  start,
  ...(end ? { end } : {}),
  ...(status === "cancelled" ? { cancelled: true as const } : {}),
  revision: Math.floor((meta?.lastUpdated ? Date.parse(meta.lastUpdated) : now.getTime()) / 60_000),
});

/**
 * The verified patient's appointment that a message is about, and its id: by its id, also one that is cancelled, else the next one.
 * Undefined where there is none that could be told of. AppError `ehr_not_allowed`, `ehr_unsupported`.
 */
export async function aboutVisit(run: Run, appointmentId: string | undefined): Promise<{ id: string; visit: Visit } | undefined> {
  const ehr = await openAlso(run, appointmentScopes);
  if (!ehr) throw new AppError("ehr_not_allowed", "The connection gives no appointments.");
  const { supports } = await ehr.capability({ signal: run.signal });
  if (!supports("Appointment", appointmentId ? "read" : "search-type"))
    throw new AppError("ehr_unsupported", "The record system shows no appointments.");
  await run.chart();
  const now = run.ctx.clock();
  const found = appointmentId ? await ownOrNone({ ...run, ehr }, appointmentId) : await nextBooked({ ...run, ehr });
  if (!found?.id || !(Date.parse(found.start ?? "") >= now.getTime())) return undefined;
  const isToldOf = found.status === "booked" || found.status === "cancelled";
  return isToldOf ? { id: found.id, visit: visitFrom(ehr.providerId, found, now) } : undefined;
}

const nextBooked = async (run: Run): Promise<Appointment | undefined> => (await upcoming(run)).find(({ status }) => status === "booked");

const ownOrNone = (run: Run, appointmentId: string): Promise<Appointment | undefined> =>
  readOwn(run, appointmentId).catch((error: unknown) => {
    if (isAppError(error, "not_found")) return undefined;
    throw error;
  });
