import { AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf, type Ran, type Run } from "../define-tool.ts";
import type { Input } from "./input.ts";
import { dayFrom, dayIn } from "./local-time.ts";
import type { Output, Visit } from "./output.ts";
import { idIn, placeOf } from "./schedules.ts";

/** AppError `ehr_unsupported` for a server that says it cannot. */
export async function requireAppointments({ ehr, signal }: Run, ...interactions: ("create" | "update")[]): Promise<void> {
  const { supports } = await ehr.capability({ signal });
  if (!interactions.every((interaction) => supports("Appointment", interaction)))
    throw new AppError("ehr_unsupported", "The record system takes no appointments, or no changes to them.");
}

/** What still takes place, if nothing happens. */
const upcomingStates = new Set<Appointment["status"]>(["booked", "pending", "proposed"]);
export const isUpcoming = ({ status }: Appointment): boolean => upcomingStates.has(status);
const maxAppointments = 100;

/** Marks what a request has made, so that it can be found again by whoever has lost the answer. */
export const requestSystem = "urn:vitaline:tool-request";
export const requestOf = ({ identifier = [] }: Appointment): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;

/** Marks an appointment that a request has given up for another one, so that nobody takes that for a plain cancellation. */
const movedSystem = "urn:vitaline:tool-moved";
export const movedBy = ({ identifier = [] }: Appointment): string | undefined =>
  identifier.find(({ system }) => system === movedSystem)?.value;
export const markMoved = (appointment: Appointment, requestKey: string): Appointment => ({
  ...appointment,
  identifier: [
    ...(appointment.identifier ?? []).filter(({ system }) => system !== movedSystem),
    { system: movedSystem, value: requestKey },
  ],
});

/** Without the mark, and with whatever else identifies it; FHIR takes no empty list. */
export const unmarked = ({ identifier = [], ...appointment }: Appointment): Appointment => {
  const others = identifier.filter(({ system }) => system !== requestSystem);
  return others.length > 0 ? { ...appointment, identifier: others } : appointment;
};

export const isFor = ({ participant }: Appointment, patientId: string): boolean =>
  participant.some(({ actor }) => idIn(actor?.reference, "Patient") === patientId);

export const visitOf = ({ id = "", start = "", participant }: Appointment): Visit => ({
  appointmentId: id,
  start,
  ...placeOf(participant.flatMap(({ actor }) => actor ?? [])),
});

/** The patient's own appointments that are still to come, the next first. */
export async function upcoming(run: Run): Promise<Appointment[]> {
  const now = run.ctx.clock();
  const patientId = patientOf(run);
  const found = await run.ehr.search<Appointment>(
    "Appointment",
    { patient: `Patient/${patientId}`, date: `ge${now.toISOString()}` },
    { signal: run.signal, maxResources: maxAppointments },
  );
  return found
    .filter(
      (one) =>
        one.resourceType === "Appointment" && isUpcoming(one) && isFor(one, patientId) && Date.parse(one.start ?? "") >= now.getTime(),
    )
    .toSorted((a, b) => Date.parse(a.start ?? "") - Date.parse(b.start ?? ""));
}

export async function list(run: Run): Promise<Ran<Output>> {
  const appointments = await upcoming(run);
  return { output: { result: "listed", appointments: appointments.map(visitOf) }, patientId: patientOf(run), detail: { action: "list" } };
}

/** An appointment of this patient; AppError `not_found` for anybody else's, as for one that never was. */
export async function readOwn(run: Run, appointmentId: string): Promise<Appointment> {
  const appointment = await run.ehr
    .read<Appointment>("Appointment", appointmentId, { signal: run.signal })
    .catch(async (error: unknown) => {
      if (!isAppError(error, "ehr_not_found", "ehr_forbidden")) throw error;
      // A closed chart is told as such.
      await run.chart();
      throw notFound();
    });
  if (!isFor(appointment, patientOf(run))) throw notFound();
  return appointment;
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
  const { timeZone } = run.tenant;
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
    : { ...about, output: { result: "which", action, appointments: (only ? meant : all).map(visitOf) } };
}

export const isAppointment = (found: Appointment | Ran<Output>): found is Appointment => "resourceType" in found;
