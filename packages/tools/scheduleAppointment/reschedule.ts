import { AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf, type Intent, type Ran, type Run } from "../define-tool.ts";
import {
  chosen,
  isAppointment,
  isUpcoming,
  markMoved,
  movedBy,
  readOwn,
  requireAppointments,
  requireOwnAlone,
  unmarked,
  visitOf,
} from "./appointments.ts";
import { already, offerOthers } from "./book.ts";
import { changedMeanwhile, makeCancelled } from "./cancel.ts";
import type { Input } from "./input.ts";
import type { Output } from "./output.ts";
import { findMade, takeSlot } from "./take-slot.ts";

/** The new time is booked before the old one is given up, so that the patient is never left without. */
export async function reschedule(run: Run, input: Input): Promise<Ran<Output>> {
  await requireAppointments(run, "create", "update");
  const old = await chosen(run, "reschedule", input);
  if (!isAppointment(old)) return old;
  // Given up by an earlier try of this very request, of which nothing is known any more.
  const done = movedBy(old) === run.requestKey ? await findMade(run) : undefined;
  if (done) return giveUp(run, old, done);
  if (!isUpcoming(old)) throw notFound();
  requireOwnAlone(run, old);
  if (Date.parse(old.start ?? "") < run.ctx.clock().getTime()) throw new AppError("not_doable", "The appointment is over.");
  const next = await takeSlot(run, input, { action: "reschedule", appointmentId: old.id ?? "" });
  if ("held" in next) return already(run, next, "reschedule");
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
    const { version, byUs } = await makeCancelled(run, old, (before) => markMoved(before, run.requestKey));
    // Cancelled by somebody else, who wants no appointment or has made another one.
    if (!byUs && movedBy(version) !== run.requestKey) throw changedMeanwhile();
    return {
      output: { result: "rescheduled", appointment: visitOf(next), replaced: visitOf(version) },
      patientId: patientOf(run),
      detail: { action: "reschedule" },
    };
  } catch (error) {
    if (isAppError(error, ...passing)) throw unfinished(error);
    // The old time stands or is somebody else's doing, so the new one must not; without our mark nobody takes it for booked.
    await makeCancelled(run, next, unmarked).catch((failure: unknown) => {
      throw unfinished(failure);
    });
    throw error;
  }
}
