import { awaitAllThenThrow, AppError, errorFields, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf, referencedId } from "../patient/chart.ts";
import { type PlannedWrite, type RunResult, type Run, executionKeyIn } from "../sdk/run.ts";
import {
  confirmFirst,
  chooseAppointment,
  confirmedDetail,
  cancelledDetail,
  isAppointment,
  assertServerUpdates,
  failingAsUnknownOutcome,
  requireSinglePatient,
  summarize,
} from "./appointments-of-caller.ts";
import { isUpcoming, movedByRequest, noteLimit, readOwnAppointment } from "../scheduling/appointments.ts";
import type { Input, Output } from "./schema.ts";

export async function cancel(run: Run, input: Input): Promise<RunResult<Output>> {
  await assertServerUpdates(run);
  const named = { ...input, appointmentDate: input.appointmentDate ?? input.date };
  const found = await chooseAppointment(run, "cancel", named);
  if (!isAppointment(found)) return found;
  // A second cancellation succeeds; a moved appointment still takes place.
  if (!isUpcoming(found) && (found.status !== "cancelled" || movedByRequest(found))) throw notFound();
  requireSinglePatient(run, found);
  if (found.status !== "cancelled" && Date.parse(found.start ?? "") < run.ctx.clock().getTime())
    throw new AppError("not_doable", "The appointment has begun.");
  const question = await confirmFirst(run, "cancel", found, named);
  if (question) return question;
  run.notePlannedWrite({ action: "cancel", appointmentId: found.id ?? "", ...(found.status === "booked" ? { was: "booked" } : {}) });
  const { version, byUs, wasBooked } = await cancelAppointment(run, found);
  if (!byUs && movedByRequest(version)) throw changedConcurrently();
  return failingAsUnknownOutcome(async () => {
    await noteLimit(run, undefined);
    return cancelledResult(run, version, byUs && wasBooked);
  });
}

const cancelledResult = async (run: Run, appointment: Appointment, isConfirmed: boolean): Promise<RunResult<Output>> => ({
  output: { result: "cancelled", appointment: await summarize(run, appointment) },
  patientId: patientIdOf(run),
  detail: { action: "cancel", ...confirmedDetail(isConfirmed), ...cancelledDetail(appointment) },
});

export async function recoverCancel(run: Run, { appointmentId = "", was }: PlannedWrite): Promise<RunResult<Output> | undefined> {
  const appointment = await readOwnAppointment(run, appointmentId);
  return appointment.status === "cancelled" && !movedByRequest(appointment)
    ? cancelledResult(run, appointment, was === "booked")
    : undefined;
}

export const changedConcurrently = () => new AppError("ehr_conflict", "The appointment was changed by someone else.");

/** `byUs`: this request cancelled it. */
type Cancelled = { version: Appointment; byUs: boolean; wasBooked: boolean };

/**
 * Cancels an appointment and retries once after a concurrent change. AppError `ehr_conflict` if it can no longer be cancelled,
 * `ehr_unknown_outcome` if the outcome is not known.
 */
export async function cancelAppointment(
  run: Run,
  appointment: Appointment,
  change: (version: Appointment) => Appointment = (version) => version,
): Promise<Cancelled> {
  const wasBooked = appointment.status === "booked";
  const send = async (version: Appointment): Promise<Cancelled> => {
    const accepted = await run.ehr.change<Appointment>(version, { ...change(version), status: "cancelled" }, { signal: run.writeSignal() });
    return { version: await unlockSlots(run, version, accepted), byUs: true, wasBooked: version.status === "booked" };
  };
  if (appointment.status === "cancelled") return { version: await unlockSlots(run, appointment, appointment), byUs: false, wasBooked };
  try {
    return await send(appointment);
  } catch (error) {
    if (!isAppError(error, "ehr_conflict", "ehr_unknown_outcome")) throw error;
    const lostAnswer = isAppError(error, "ehr_unknown_outcome");
    const now = await readOwnAppointment(run, appointment.id ?? "").catch(() => undefined);
    if (now?.status === "cancelled")
      return { version: await unlockSlots(run, appointment, now), byUs: lostAnswer && !isMovedByOtherRequest(run, now), wasBooked };
    if (!now || lostAnswer) throw error;
    if (!isUpcoming(now) || now.start !== appointment.start) throw changedConcurrently();
    return send(now);
  }
}

const isMovedByOtherRequest = (run: Run, version: Appointment): boolean => ![undefined, run.executionKey].includes(movedByRequest(version));

/** The lifetime of a slot lock in packages/fhir-providers. */
const lockMs = 120_000;

/** A booking leaves its lock to expire, so cancelling a recent booking releases its slots. The cancel counts even where that fails. */
async function unlockSlots(run: Run, before: Appointment, cancelled: Appointment): Promise<Appointment> {
  const madeBy = executionKeyIn(before);
  const { lastUpdated } = before.meta ?? {};
  // Without a date only the lock of the booking itself is cleared.
  const mayBeLocked = lastUpdated === undefined ? madeBy !== undefined : run.ctx.clock().getTime() - Date.parse(lastUpdated) < lockMs;
  if (mayBeLocked)
    await awaitAllThenThrow(slotsOf(before).map((slotId) => run.ehr.clearSlotLock(slotId, madeBy))).catch((error: unknown) =>
      run.ctx.log("warn", "slot.lock_not_cleared", errorFields(error)),
    );
  return cancelled;
}

const slotsOf = ({ slot = [] }: Appointment): string[] => slot.flatMap(({ reference }) => referencedId(reference, "Slot") ?? []);
