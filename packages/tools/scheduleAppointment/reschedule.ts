import { AppError, isAppError } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf, type Intent, type Ran, type Run } from "../define-tool.ts";
import { chosen, isAppointment, readOwn, requireAppointments, unmarked, visitOf } from "./appointments.ts";
import { offerOthers } from "./book.ts";
import { makeCancelled } from "./cancel.ts";
import type { Input } from "./input.ts";
import type { Output } from "./output.ts";
import { findMade, takeSlot } from "./take-slot.ts";

/** The new time is booked before the old one is given up, so that the patient is never left without. */
export async function reschedule(run: Run, input: Input): Promise<Ran<Output>> {
  await requireAppointments(run, "create", "update");
  const old = await chosen(run, "reschedule", input);
  if (!isAppointment(old)) return old;
  if (old.status === "cancelled" || Date.parse(old.start ?? "") < run.ctx.clock().getTime())
    throw new AppError("not_doable", "The appointment is over or cancelled.");
  const next = await takeSlot(run, input, { action: "reschedule", appointmentId: old.id ?? "" });
  if ("taken" in next) return offerOthers(run, input, next, "reschedule");
  run.intend({ action: "reschedule", appointmentId: old.id ?? "" });
  return giveUp(run, old, next);
}

/** Goes on where an earlier run stopped: with the new time booked, the old one is given up. */
export async function recoverReschedule(run: Run, { appointmentId = "" }: Intent): Promise<Ran<Output> | undefined> {
  const next = await findMade(run);
  return next && giveUp(run, await readOwn(run, appointmentId), next);
}

/** An EHR that is out of reach may be asked again; anything else is a no. */
const passing = ["ehr_unavailable", "ehr_timeout", "ehr_auth", "ehr_unknown_outcome"] as const;
const unfinished = (cause: unknown) =>
  new AppError("ehr_unknown_outcome", "The new time is booked, and it is not known whether the old one was given up.", { cause });

async function giveUp(run: Run, old: Appointment, next: Appointment): Promise<Ran<Output>> {
  try {
    const replaced = await makeCancelled(run, old);
    return {
      output: { result: "rescheduled", appointment: visitOf(next), replaced: visitOf(replaced) },
      patientId: patientOf(run),
      detail: { action: "reschedule" },
    };
  } catch (error) {
    if (isAppError(error, ...passing)) throw unfinished(error);
    // The old time stands, so the new one must not; without our mark nobody takes it for booked.
    await makeCancelled(run, next, unmarked).catch((failure: unknown) => {
      throw unfinished(failure);
    });
    throw error;
  }
}
