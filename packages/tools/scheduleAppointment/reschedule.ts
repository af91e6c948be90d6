import { AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Intent, Ran, Run } from "../sdk/run.ts";
import {
  chosen,
  confirmedDetail,
  givenUpDetail,
  isAppointment,
  madeDetail,
  requireBooking,
  requireChanges,
  requireOwnAlone,
  visitAt,
} from "./visits.ts";
import { isUpcoming, keepsMarks, markMoved, movedBy, readOwn, unmarked } from "../scheduling/appointments.ts";
import { already, noMore, offerOthers, visitRequest } from "./book.ts";
import { changedMeanwhile, makeCancelled } from "./cancel.ts";
import type { Input, Output } from "./schema.ts";
import { findMade, takeSlot } from "./take-slot.ts";

/** The new time is booked before the old one is given up, so that the patient is never left without. */
export async function reschedule(run: Run, input: Input): Promise<Ran<Output>> {
  await requireBooking(run);
  await requireChanges(run);
  const old = await chosen(run, "reschedule", input);
  if (!isAppointment(old)) return old;
  // Given up by an earlier try of this very request, of which nothing is known any more.
  const done = movedBy(old) === run.requestKey ? await findMade(run, {}) : undefined;
  if (done) return exchange(run, old, done);
  if (!isUpcoming(old)) throw notFound();
  requireOwnAlone(run, old);
  if (Date.parse(old.start ?? "") < run.ctx.clock().getTime()) throw new AppError("not_doable", "The appointment is over.");
  const next = await takeSlot(run, input, { action: "reschedule", appointmentId: old.id ?? "" });
  if ("held" in next) return already(run, next, "reschedule");
  if ("enough" in next) return noMore(run, next);
  if ("taken" in next) return offerOthers(run, input, next, "reschedule");
  return exchange(run, old, next);
}

/** Goes on where an earlier run stopped: with the new time booked, the old one is given up. */
export async function recoverReschedule(run: Run, intent: Intent): Promise<Ran<Output> | undefined> {
  const next = await findMade(run, intent);
  return next && exchange(run, await readOwn(run, intent["appointmentId"] ?? ""), next, "again");
}

/** An EHR that is out of reach may be asked again; anything else is a no. */
const passing = ["ehr_unavailable", "ehr_timeout", "ehr_auth", "ehr_unknown_outcome"] as const;
const unfinished = (cause: unknown) =>
  new AppError("ehr_unknown_outcome", "The new time is booked, and it is not known whether the old one was given up.", { cause });

/** `again`: an earlier try may have given the old one up. */
async function exchange(run: Run, old: Appointment, next: Appointment, again?: "again"): Promise<Ran<Output>> {
  const about = {
    patientId: patientOf(run),
    detail: { action: "reschedule", ...madeDetail(next) },
    ...(next.status === "booked" ? {} : { promise: visitRequest(next, "reschedule") }),
  };
  // Nobody loses a time for one that the clinic has not granted yet.
  if (next.status !== "booked" && old.status === "booked")
    return { ...about, output: { result: "requested", appointment: await visitAt(run, next), stays: await visitAt(run, old) } };
  try {
    const isMarked = keepsMarks(await run.ehr.strategy({ signal: run.signal }));
    const { version, byUs } = await makeCancelled(run, old, (before) => (isMarked ? markMoved(before, run.requestKey) : before));
    // Cancelled by somebody else, who wants no appointment or has made another one.
    if (!byUs && (isMarked ? movedBy(version) !== run.requestKey : !again)) throw changedMeanwhile();
    return {
      ...about,
      output: { result: "rescheduled", appointment: await visitAt(run, next), replaced: await visitAt(run, version) },
      detail: { ...about.detail, ...confirmedDetail(next.status === "booked"), ...givenUpDetail(version) },
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
