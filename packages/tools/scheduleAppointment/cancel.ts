import { allDone, AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Intent, Ran, Run } from "../sdk/run.ts";
import { idIn, requestOf } from "../sdk/references.ts";
import { chosen, confirmedDetail, givenUpDetail, isAppointment, requireChanges, requireOwnAlone, visitAt } from "./visits.ts";
import { isUpcoming, movedBy, readOwn } from "../scheduling/appointments.ts";
import type { Input, Output } from "./schema.ts";

export async function cancel(run: Run, input: Input): Promise<Ran<Output>> {
  await requireChanges(run);
  const found = await chosen(run, "cancel", { ...input, appointmentDate: input.appointmentDate ?? input.date });
  if (!isAppointment(found)) return found;
  // Cancelled already is as good; moved is not, as the patient still has the new time.
  if (!isUpcoming(found) && (found.status !== "cancelled" || movedBy(found))) throw notFound();
  requireOwnAlone(run, found);
  if (found.status !== "cancelled" && Date.parse(found.start ?? "") < run.ctx.clock().getTime())
    throw new AppError("not_doable", "The appointment has begun.");
  run.intend({ action: "cancel", appointmentId: found.id ?? "", ...(found.status === "booked" ? { was: "booked" } : {}) });
  const { version, byUs, wasBooked } = await makeCancelled(run, found);
  if (!byUs && movedBy(version)) throw changedMeanwhile();
  return cancelled(run, version, byUs && wasBooked);
}

/** What somebody else has cancelled is not told as if it were given up now. */
const cancelled = async (run: Run, appointment: Appointment, isConfirmed: boolean): Promise<Ran<Output>> => ({
  output: { result: "cancelled", appointment: await visitAt(run, appointment) },
  patientId: patientOf(run),
  detail: { action: "cancel", ...confirmedDetail(isConfirmed), ...givenUpDetail(appointment) },
});

export async function recoverCancel(run: Run, { appointmentId = "", was }: Intent): Promise<Ran<Output> | undefined> {
  const appointment = await readOwn(run, appointmentId);
  return appointment.status === "cancelled" && !movedBy(appointment) ? cancelled(run, appointment, was === "booked") : undefined;
}

export const changedMeanwhile = () => new AppError("ehr_conflict", "The appointment was changed meanwhile.");

/** The cancelled version, whether this run's own request made it so (if not, the version's marks say who did), and from what. */
type Cancelled = { version: Appointment; byUs: boolean; wasBooked: boolean };

/**
 * Gives an appointment's time back. It may come back cancelled by somebody else; a change by somebody else in between is read
 * and met once. AppError `ehr_conflict` when by then it can no longer be given up.
 * Throws `ehr_unknown_outcome` when it was sent and nobody knows.
 */
export async function makeCancelled(
  run: Run,
  appointment: Appointment,
  change: (version: Appointment) => Appointment = (version) => version,
): Promise<Cancelled> {
  const wasBooked = appointment.status === "booked";
  const send = async (version: Appointment): Promise<Cancelled> => {
    const accepted = await run.ehr.change<Appointment>(version, { ...change(version), status: "cancelled" }, { signal: run.writeSignal() });
    return { version: await unlocked(run, version, accepted), byUs: true, wasBooked: version.status === "booked" };
  };
  if (appointment.status === "cancelled") return { version: await unlocked(run, appointment, appointment), byUs: false, wasBooked };
  try {
    return await send(appointment);
  } catch (error) {
    if (!isAppError(error, "ehr_conflict", "ehr_unknown_outcome")) throw error;
    const lostAnswer = isAppError(error, "ehr_unknown_outcome");
    const now = await readOwn(run, appointment.id ?? "").catch(() => undefined);
    if (now?.status === "cancelled")
      return { version: await unlocked(run, appointment, now), byUs: lostAnswer && !isMovedByOther(run, now), wasBooked };
    if (!now || lostAnswer) throw error;
    if (!isUpcoming(now)) throw changedMeanwhile();
    return send(now);
  }
}

const isMovedByOther = (run: Run, version: Appointment): boolean => ![undefined, run.requestKey].includes(movedBy(version));

/** No lock lives longer; see packages/fhir-providers/ehr/slot-lock.ts. */
const lockMs = 120_000;

/** The lock of a booking is left to expire, so whoever cancels one that was made just now gives its slots back. */
async function unlocked(run: Run, before: Appointment, cancelled: Appointment): Promise<Appointment> {
  const isRecent = run.ctx.clock().getTime() - Date.parse(before.meta?.lastUpdated ?? "") < lockMs;
  if (isRecent) await allDone(slotsOf(before).map((slotId) => run.ehr.unlockSlot(slotId, requestOf(before))));
  return cancelled;
}

const slotsOf = ({ slot = [] }: Appointment): string[] => slot.flatMap(({ reference }) => idIn(reference, "Slot") ?? []);
