import { isAppError, notFound } from "@vitaline/core";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { idIn, requestSystem } from "../sdk/references.ts";

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
