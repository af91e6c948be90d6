import { AppError, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { calendarIdOf, type Visit } from "@vitaline/messages";
import type { TenantRow } from "@vitaline/store";
import type { Appointment, Location } from "fhir/r4.js";
import { isInScope } from "../patient/call-patient.ts";
import { isConfidential, referencedId } from "../patient/chart.ts";
import { openIfAllowed, type Run } from "../sdk/run.ts";
import { spokenLine } from "../speech/speech-text.ts";
import { isShownTo, readOwnAppointment, upcomingAppointments } from "../scheduling/appointments.ts";

export const appointmentScopes = ["system/Appointment.rs"];

export const placeScopes = ["system/Location.rs"];

export const toVisit = (providerId: string, { id = "", start = "", end, status, meta }: Appointment, now: Date, place?: string): Visit => ({
  calendarId: calendarIdOf(providerId, id),
  start,
  ...(end ? { end } : {}),
  ...(status === "cancelled" ? { cancelled: true as const } : {}),
  ...(place === undefined ? {} : { place }),
  revision: Math.floor((meta?.lastUpdated ? Date.parse(meta.lastUpdated) : now.getTime()) / 60_000),
});

type PlaceReader = { tenant: Pick<TenantRow, "name">; isNamed: boolean; openPlaces(): Promise<Ehr | undefined>; signal?: AbortSignal };

/**
 * The place of an appointment, read where the appointment only refers to it; undefined if it has none. The organization's name where the
 * place is not known, or could tell what the visit is for.
 */
export async function placeOf(appointment: Appointment, { tenant, isNamed, openPlaces, signal }: PlaceReader): Promise<string | undefined> {
  // Servers may leave out participants, also where R4 requires them.
  const { participant = [] } = appointment as Partial<Appointment>;
  const place = participant.find(({ actor }) => referencedId(actor?.reference, "Location") !== undefined)?.actor;
  const id = referencedId(place?.reference, "Location");
  if (id === undefined) return undefined;
  if (!isNamed || isConfidential(appointment)) return tenant.name;
  return spokenLine(place?.display) ?? spokenLine((await readPlace(id, openPlaces, signal))?.name) ?? tenant.name;
}

async function readPlace(id: string, open: PlaceReader["openPlaces"], signal: AbortSignal | undefined): Promise<Location | undefined> {
  try {
    return await (await open())?.read<Location>("Location", id, signal ? { signal } : {});
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

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
  if (!isToldOf) return undefined;
  const place = await placeOf(found, {
    tenant: run.tenant,
    isNamed: isInScope(run.state?.actsFor, "clinical"),
    openPlaces: () => openIfAllowed(run, placeScopes),
    signal: run.signal,
  });
  return { id: found.id, visit: toVisit(ehr.providerId, found, now, place) };
}

const nextBooked = async (run: Run): Promise<Appointment | undefined> =>
  (await upcomingAppointments(run)).find((one) => one.status === "booked" && isShownTo(run, one));

const readOwnOrUndefined = (run: Run, appointmentId: string): Promise<Appointment | undefined> =>
  readOwnAppointment(run, appointmentId).catch((error: unknown) => {
    if (isAppError(error, "not_found")) return undefined;
    throw error;
  });
