import { allDone, AppError, isAppError, notFound } from "@vitaline/core";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment } from "fhir/r4.js";
import { patientOf, type Ran, type Run } from "../define-tool.ts";
import { requestOf, requestSystem } from "../request-key.ts";
import type { Input } from "./input.ts";
import { dayFrom, dayIn } from "./local-time.ts";
import type { Output, Visit } from "./output.ts";
import { idIn } from "../references.ts";
import { withNames } from "./actors.ts";
import { placeOf } from "./schedules.ts";

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

/** Whether the server tells which appointments a patient has. */
export const canSearch = async ({ ehr, signal }: Run): Promise<boolean> =>
  (await ehr.capability({ signal })).supports("Appointment", "search-type");

/** What still takes place, if nothing happens. */
const upcomingStates = new Set<Appointment["status"]>(["booked", "pending", "proposed"]);
export const isUpcoming = ({ status }: Appointment): boolean => upcomingStates.has(status);
const undone = new Set<Appointment["status"]>(["cancelled", "noshow", "entered-in-error"]);
export const isUndone = ({ status }: Appointment): boolean => undone.has(status);
const maxAppointments = 100;
/** Some servers search no appointments but between two dates. */
const furthestMs = 3 * 366 * 86_400_000;

/** Whether an appointment keeps the identifiers that we put on it. */
export const keepsMarks = ({ booking, slotRules }: Strategy): boolean => booking === "slot-and-post" && slotRules === "open";

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

/** Marks an appointment as made in a call, so that those of one call can be counted; nothing tells from it which call that was. */
export const callSystem = "urn:vitaline:call";

/** Without the marks, and with whatever else identifies it; FHIR takes no empty list. */
export const unmarked = ({ identifier = [], ...appointment }: Appointment): Appointment => {
  const others = identifier.filter(({ system }) => system !== requestSystem && system !== callSystem);
  return others.length > 0 ? { ...appointment, identifier: others } : appointment;
};

/** Whom and what an appointment is with. */
export const actorsOf = ({ participant }: Appointment): (string | undefined)[] => participant.map(({ actor }) => actor?.reference);

export const isFor = ({ participant }: Appointment, patientId: string): boolean =>
  participant.some(({ actor }) => idIn(actor?.reference, "Patient") === patientId);

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

/** Whether an appointment takes place at a time, as far as both are known; one after the other they do not. */
export function overlaps(one: Appointment, { start, end = start }: { start: Date | undefined; end: Date | undefined }): boolean {
  if (!start || !end) return false;
  const from = Date.parse(one.start ?? "");
  const until = Date.parse(one.end ?? "") || from;
  return from === start.getTime() || (from < end.getTime() && start.getTime() < until);
}

/** The patient's own appointments that are still to come, the next first; none where the server has no search for them. */
export async function upcoming(run: Run): Promise<Appointment[]> {
  const now = run.ctx.clock();
  const patientId = patientOf(run);
  if (!(await canSearch(run))) return [];
  const until = new Date(now.getTime() + furthestMs);
  const found = await run.ehr.search<Appointment>(
    "Appointment",
    { patient: `Patient/${patientId}`, date: [`ge${now.toISOString()}`, `lt${until.toISOString()}`] },
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
  if (!(await canSearch(run))) throw unsupported();
  const appointments = await upcoming(run);
  return {
    output: { result: "listed", appointments: await visitsOf(run, appointments) },
    patientId: patientOf(run),
    detail: { action: "list" },
  };
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
