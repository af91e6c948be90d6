import { allDone, AppError, isAppError } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf, type Intent, type Ran, type Run } from "../define-tool.ts";
import { chosen, isAppointment, readOwn, requestOf, requireAppointments, visitOf } from "./appointments.ts";
import type { Input } from "./input.ts";
import type { Output } from "./output.ts";
import { idIn } from "./schedules.ts";

export async function cancel(run: Run, input: Input): Promise<Ran<Output>> {
  await requireAppointments(run, "update");
  const found = await chosen(run, "cancel", { ...input, appointmentDate: input.appointmentDate ?? input.date });
  if (!isAppointment(found)) return found;
  if (found.status !== "cancelled" && Date.parse(found.start ?? "") < run.ctx.clock().getTime())
    throw new AppError("not_doable", "The appointment has begun.");
  run.intend({ action: "cancel", appointmentId: found.id ?? "" });
  return cancelled(run, await makeCancelled(run, found));
}

const cancelled = (run: Run, appointment: Appointment): Ran<Output> => ({
  output: { result: "cancelled", appointment: visitOf(appointment) },
  patientId: patientOf(run),
  detail: { action: "cancel" },
});

export async function recoverCancel(run: Run, { appointmentId = "" }: Intent): Promise<Ran<Output> | undefined> {
  const appointment = await readOwn(run, appointmentId);
  return appointment.status === "cancelled" ? cancelled(run, appointment) : undefined;
}

/**
 * Gives an appointment's time back. Cancelled already is as good; a change by somebody else in between is read and met once.
 * Throws `ehr_unknown_outcome` when it was sent and nobody knows.
 */
export async function makeCancelled(
  run: Run,
  appointment: Appointment,
  change: (version: Appointment) => Appointment = (version) => version,
): Promise<Appointment> {
  const send = (version: Appointment) =>
    run.ehr.update<Appointment>({ ...change(version), status: "cancelled" }, { signal: run.writeSignal() });
  if (appointment.status === "cancelled") return appointment;
  try {
    return await unlocked(run, appointment, await send(appointment));
  } catch (error) {
    if (!isAppError(error, "ehr_conflict", "ehr_unknown_outcome")) throw error;
    const now = await readOwn(run, appointment.id ?? "").catch(() => undefined);
    if (now?.status === "cancelled") return unlocked(run, appointment, now);
    if (!now || isAppError(error, "ehr_unknown_outcome")) throw error;
    return unlocked(run, now, await send(now));
  }
}

/** No lock lives longer; see packages/fhir-providers/slot-lock.ts. */
const lockMs = 120_000;

/** The lock of a booking is left to expire; whoever gives up a slot that was booked just now gives back its lock, too. */
async function unlocked(run: Run, before: Appointment, cancelled: Appointment): Promise<Appointment> {
  const madeBy = requestOf(before);
  const isRecent = run.ctx.clock().getTime() - Date.parse(before.meta?.lastUpdated ?? "") < lockMs;
  if (madeBy && isRecent)
    await allDone((before.slot ?? []).map(({ reference }) => run.ehr.releaseSlot(idIn(reference, "Slot") ?? "", madeBy, "any")));
  return cancelled;
}
