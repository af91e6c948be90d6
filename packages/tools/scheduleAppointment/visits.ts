import { allDone, AppError } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { idIn, requestOf } from "../sdk/references.ts";
import type { Input, Output, Visit } from "./schema.ts";
import { dayFrom, dayIn } from "../speech/spoken-time.ts";
import { withNames } from "../scheduling/actors.ts";
import { placeOf } from "../scheduling/schedules.ts";
import { canSearch, readOwn, upcoming } from "../scheduling/appointments.ts";

const unsupported = () => new AppError("ehr_unsupported", "The record system takes no appointments, or no changes to them.");

/** AppError `ehr_unsupported` for a server that says it makes no appointments. */
export async function requireBooking({ ehr, signal }: Run): Promise<void> {
  const [{ booking }, { supports }] = await allDone([ehr.strategy({ signal }), ehr.capability({ signal })]);
  if (booking === "unsupported" || (booking !== "find-and-book" && !supports("Appointment", "create"))) throw unsupported();
}

/** AppError `ehr_unsupported` for a server that says it changes no appointments. */
export async function requireChanges({ ehr, signal }: Run): Promise<void> {
  const { supports } = await ehr.capability({ signal });
  if (!supports("Appointment", "update") && !supports("Appointment", "patch")) throw unsupported();
}

const visitOf = ({ id = "", start = "", participant, status }: Appointment): Visit => ({
  appointmentId: id,
  start,
  ...placeOf(participant.flatMap(({ actor }) => actor ?? [])),
  ...(status === "pending" || status === "proposed" ? { requested: true as const } : {}),
});

/** As they are told to the caller. */
const visitsOf = async (run: Run, appointments: Appointment[]): Promise<Visit[]> => (await withNames(run, appointments)).map(visitOf);
export const visitAt = async (run: Run, appointment: Appointment): Promise<Visit> =>
  visitOf((await withNames(run, [appointment]))[0] ?? appointment);

const instantOf = (text: string | undefined): string | undefined =>
  Number.isNaN(Date.parse(text ?? "")) ? undefined : new Date(text ?? "").toISOString();

type Made = { appointmentId?: string; start?: string; end?: string };
/** What the audit tells of an appointment that was made; reminders, webhooks and calendars are planned by it. */
export const madeDetail = ({ id, start, end }: Appointment): Made => {
  const [startAt, endAt] = [instantOf(start), instantOf(end)];
  return id === undefined || !startAt ? {} : { appointmentId: id, start: startAt, ...(endAt ? { end: endAt } : {}) };
};

/** That the clinic had granted what a change is about; what was only asked for is no appointment yet, and nobody is told of it. */
export const confirmedDetail = (isConfirmed: boolean): { confirmed?: true } => (isConfirmed ? { confirmed: true } : {});

/** And of one that was given up. */
export const givenUpDetail = ({ id, start }: Appointment): { cancelledId?: string; cancelledStart?: string } => {
  const startAt = instantOf(start);
  return id === undefined ? {} : { cancelledId: id, ...(startAt ? { cancelledStart: startAt } : {}) };
};

export async function list(run: Run): Promise<Ran<Output>> {
  if (!(await canSearch(run))) throw unsupported();
  const appointments = await upcoming(run);
  return {
    output: { result: "listed", appointments: await visitsOf(run, appointments) },
    patientId: patientOf(run),
    detail: { action: "list" },
  };
}

/** More than one patient's appointment is not for one of them to change: AppError `not_doable`, with an offer to hand over. */
export function requireOwnAlone(run: Run, { participant }: Appointment): void {
  const patients = new Set(participant.flatMap(({ actor }) => idIn(actor?.reference, "Patient") ?? []));
  if (patients.size > 1 || !patients.has(patientOf(run))) throw new AppError("not_doable", "The appointment is more than one patient's.");
}

/** The appointment that is meant, in whatever state: by id, by its day, or because there is but one; else what to ask back. */
export async function chosen(
  run: Run,
  action: "reschedule" | "cancel",
  { appointmentId, appointmentDate }: Pick<Input, "appointmentId" | "appointmentDate">,
): Promise<Appointment | Ran<Output>> {
  if (appointmentId) return readOwn(run, appointmentId);
  const all = (await upcoming(run)).filter((one) => requestOf(one) !== run.requestKey);
  const { timeZone } = run;
  const day = appointmentDate === undefined ? undefined : dayFrom(appointmentDate, timeZone, run.ctx.clock());
  // What is not understood must not stand for every day.
  if (appointmentDate !== undefined && day === undefined)
    throw new AppError("invalid_arguments", "The date is not understood.", { fields: { appointmentDate: "with the month by its name" } });
  const meant = day === undefined ? all : all.filter(({ start = "" }) => dayIn(timeZone, new Date(start)) === day);
  const [only, ...others] = meant;
  if (only && others.length === 0) return only;
  const about = { patientId: patientOf(run), detail: { action } };
  return all.length === 0
    ? { ...about, output: { result: "none", action } }
    : { ...about, output: { result: "which", action, appointments: await visitsOf(run, only ? meant : all) } };
}

export const isAppointment = (found: Appointment | Ran<Output>): found is Appointment => "resourceType" in found;
