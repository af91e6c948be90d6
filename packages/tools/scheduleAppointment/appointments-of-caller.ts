import type { Language } from "@vitaline/contract";
import { AppError, isAppError, notFound, awaitAllThenThrow } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf, referencedId } from "../patient/chart.ts";
import { isInScope } from "../patient/call-patient.ts";
import { type Run, type RunResult, executionKeyIn } from "../sdk/run.ts";
import type { Input, Output, AppointmentSummary } from "./schema.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";
import { fitsReading, interpretTime } from "../scheduling/requested-time.ts";
import { doctorAndLocation, withActorNames } from "../scheduling/schedules.ts";
import {
  canSearchAppointments,
  isShownTo,
  limitReached,
  noteLimit,
  readOwnAppointment,
  upcomingAppointments,
} from "../scheduling/appointments.ts";

const unsupported = () => new AppError("ehr_unsupported", "The record system does not support booking or changing appointments.");

/** AppError `ehr_unsupported` if the server takes no bookings. */
export async function assertServerBooks({ ehr, signal }: Run): Promise<void> {
  const [{ booking }, { supports }] = await awaitAllThenThrow([ehr.behavior({ signal }), ehr.capability({ signal })]);
  if (booking === "unsupported" || (booking !== "find-and-book" && !supports("Appointment", "create"))) throw unsupported();
}

/** AppError `ehr_unsupported` if the server takes no changes. */
export async function assertServerUpdates({ ehr, signal }: Run): Promise<void> {
  const { supports } = await ehr.capability({ signal });
  if (!supports("Appointment", "update") && !supports("Appointment", "patch")) throw unsupported();
}

/** Doctor and place can tell what a visit is for, which a proxy without access to the record hears only of what they just booked. */
const isNamedTo = ({ state, executionKey }: Run, appointment: Appointment): boolean =>
  isInScope(state?.actsFor, "clinical") || executionKeyIn(appointment) === executionKey;

const visitIn =
  (run: Run, isNamed = (appointment: Appointment) => isNamedTo(run, appointment)) =>
  (appointment: Appointment): AppointmentSummary => {
    const { id = "", start = "", participant, status } = appointment;
    return {
      appointmentId: id,
      start,
      ...(isNamed(appointment)
        ? doctorAndLocation(
            run,
            participant.flatMap(({ actor }) => actor ?? []),
          )
        : {}),
      ...(status === "pending" || status === "proposed" ? { requested: true as const } : {}),
    };
  };

/** After a write that stands: what fails then must not be told as a failure of the write. Recovery finds it. */
export const failingAsUnknownOutcome = async <T>(tell: () => Promise<T>): Promise<T> => {
  try {
    return await tell();
  } catch (error) {
    throw isAppError(error) ? new AppError("ehr_unknown_outcome", "Written, but the result could not be told.", { cause: error }) : error;
  }
};

const summarizeAll = async (run: Run, appointments: Appointment[]): Promise<AppointmentSummary[]> =>
  (await withActorNames(run, appointments)).map(visitIn(run));
export const summarize = async (
  run: Run,
  appointment: Appointment,
  isNamed?: (appointment: Appointment) => boolean,
): Promise<AppointmentSummary> => visitIn(run, isNamed)((await withActorNames(run, [appointment]))[0] ?? appointment);

/** A visit that was moved, with no more than the caller may hear of the old one. */
export const summarizeMoved = (run: Run, next: Appointment, old: Appointment): Promise<AppointmentSummary> =>
  summarize(run, next, () => isNamedTo(run, old));

const instantOf = (text: string | undefined): string | undefined =>
  Number.isNaN(Date.parse(text ?? "")) ? undefined : new Date(text ?? "").toISOString();

type CreatedDetail = { appointmentId?: string; start?: string; end?: string; language?: Language };
/** Reminders, webhooks and calendar feeds are planned from it. What a proxy speaks is not the patient's language. */
export const createdDetail = (
  { namedLanguage, state }: Pick<Run, "namedLanguage" | "state">,
  { id, start, end }: Appointment,
): CreatedDetail => {
  const [startAt, endAt] = [instantOf(start), instantOf(end)];
  return id === undefined || !startAt
    ? {}
    : {
        appointmentId: id,
        start: startAt,
        ...(endAt ? { end: endAt } : {}),
        ...(namedLanguage && !state?.actsFor ? { language: namedLanguage } : {}),
      };
};

/** An unconfirmed request notifies no one. */
export const confirmedDetail = (isConfirmed: boolean): { confirmed?: true } => (isConfirmed ? { confirmed: true } : {});

export const cancelledDetail = ({ id, start }: Appointment): { cancelledId?: string; cancelledStart?: string } => {
  const startAt = instantOf(start);
  return id === undefined ? {} : { cancelledId: id, ...(startAt ? { cancelledStart: startAt } : {}) };
};

export async function listAppointments(run: Run): Promise<RunResult<Output>> {
  if (!(await canSearchAppointments(run))) throw unsupported();
  const upcoming = await upcomingAppointments(run);
  await noteLimit(run, limitReached(run, upcoming));
  const appointments = upcoming.filter((one) => isShownTo(run, one));
  return {
    output: { result: "listed", appointments: await summarizeAll(run, appointments) },
    patientId: patientIdOf(run),
    detail: { action: "list" },
  };
}

/** AppError `not_doable` for an appointment shared with another patient. */
export function requireSinglePatient(run: Run, { participant }: Appointment): void {
  const patients = new Set(participant.flatMap(({ actor }) => referencedId(actor?.reference, "Patient") ?? []));
  if (patients.size > 1 || !patients.has(patientIdOf(run)))
    throw new AppError("not_doable", "The appointment is shared with another patient.");
}

/** By id, by day, or the only one, in any state; else the question to ask. */
export async function chooseAppointment(
  run: Run,
  action: "reschedule" | "cancel",
  { appointmentId, appointmentDate }: Pick<Input, "appointmentId" | "appointmentDate">,
): Promise<Appointment | RunResult<Output>> {
  if (appointmentId) {
    const meant = await readOwnAppointment(run, appointmentId);
    if (!isShownTo(run, meant)) throw notFound();
    return meant;
  }
  const all = (await upcomingAppointments(run)).filter((one) => isShownTo(run, one) && executionKeyIn(one) !== run.executionKey);
  const days = appointmentDate === undefined ? undefined : interpretTime(run, { date: appointmentDate });
  const meant = all.filter((one) => !days || isOnDay(run, one, days));
  const [only, ...others] = meant;
  if (only && others.length === 0) return only;
  const about = { patientId: patientIdOf(run), detail: { action } };
  return all.length === 0
    ? { ...about, output: { result: "none", action } }
    : { ...about, output: { result: "which", action, appointments: await summarizeAll(run, only ? meant : all) } };
}

const isOnDay = ({ timeZone }: Run, { start = "" }: Appointment, days: readonly TimeReading[]): boolean =>
  days.some((day) => fitsReading(day, { start }, timeZone));

export const isAppointment = (found: Appointment | RunResult<Output>): found is Appointment => "resourceType" in found;

/** The question whether this appointment is meant, unless the caller has named it by its day, or by its id and no other day. */
export async function confirmFirst(
  run: Run,
  action: "reschedule" | "cancel",
  appointment: Appointment,
  { appointmentId, appointmentDate }: Pick<Input, "appointmentId" | "appointmentDate">,
): Promise<RunResult<Output> | undefined> {
  const days = appointmentDate === undefined ? [] : (interpretTime(run, { date: appointmentDate }) ?? []);
  const isOtherDay = days.length > 0 && !isOnDay(run, appointment, days);
  if ((appointmentId ?? appointmentDate) !== undefined && !isOtherDay) return undefined;
  return {
    output: { result: "confirm", action, appointment: await summarize(run, appointment) },
    code: "confirmation_required",
    patientId: patientIdOf(run),
    detail: { action },
  };
}
